import { pino } from "pino";
import { problemBody } from "../kernel/problem";
import { REFUSALS, Refusal } from "../kernel/refusal";
import { sqlState } from "../database/transactions";

const log = pino({ name: "web" });

/** A refusal as problem+json. */
export function problemResponse(refusal: Refusal, requestId: string, headers: Record<string, string> = {}): Response {
  return problemText(REFUSALS[refusal.code].status, problemBody(refusal, requestId), {
    ...headers,
    ...(refusal.more.retryAfter !== undefined && { "retry-after": String(refusal.more.retryAfter) }),
    ...(refusal.code === "unauthenticated" && { "www-authenticate": 'Bearer realm="undersigned"' }),
  });
}

export const problemText = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers } });

/** A fault: logged whole under its request id, told as "nothing was written". */
export function faultResponse(error: unknown, requestId: string): Response {
  log.error({ err: error, requestId, sqlState: sqlState(error) }, "a request failed");
  return problemResponse(new Refusal("unavailable", { retryAfter: 1 }), requestId);
}
