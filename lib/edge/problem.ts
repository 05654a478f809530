import { count } from "../kernel/metrics";
import { problemBody } from "../kernel/problem";
import { REFUSALS, Refusal, type RefusalDetail } from "../kernel/refusal";
import type { Outage } from "../database/outage";
import { tellFault } from "./fault";
import { note } from "./request-notes";

/** A refusal as problem+json. */
export function problemResponse(refusal: Refusal, requestId: string, headers: Record<string, string> = {}): Response {
  note({ code: refusal.code });
  count("undersigned_refusals", { code: refusal.code });
  return problemText(REFUSALS[refusal.code].status, problemBody(refusal, requestId), {
    "x-request-id": requestId, ...headers,
    ...(refusal.more.retryAfter !== undefined && { "retry-after": String(refusal.more.retryAfter) }),
    ...(refusal.code === "unauthenticated" && { "www-authenticate": 'Bearer realm="undersigned"' }),
  });
}

export const problemText = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers } });

const OUTAGES: Record<Outage, RefusalDetail> = {
  disk_full: { detail: "The database's disk is full: nothing was written", retryAfter: 30 },
  busy: { detail: "The database is busy: nothing was written", retryAfter: 1 },
  unreachable: { detail: "The database does not answer. Send the same request again: under its Idempotency-Key it is done once", retryAfter: 2 },
};

/** A fault: logged under its request id, told as "nothing was written" or, in an outage of the database, as what it is. */
export function faultResponse(error: unknown, requestId: string): Response {
  const outage = tellFault(error, requestId);
  return problemResponse(new Refusal("unavailable", outage ? OUTAGES[outage] : { retryAfter: 1 }), requestId);
}
