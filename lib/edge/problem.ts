import { count } from "../kernel/metrics";
import { problemBody } from "../kernel/problem";
import { REFUSALS, Refusal } from "../kernel/refusal";
import { sqlState } from "../database/transactions";
import { logger } from "./log";
import { note } from "./request-notes";

const log = logger("web");

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

/** A fault: logged whole under its request id, told as "nothing was written". */
export function faultResponse(error: unknown, requestId: string): Response {
  count("undersigned_faults", { sqlstate: sqlState(error) ?? "none" });
  log.error({ err: error, requestId }, "a request failed");
  return problemResponse(new Refusal("unavailable", { retryAfter: 1 }), requestId);
}
