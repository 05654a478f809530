import type { AgentActor, Ctx, Scope } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { pool } from "../database/client";
import { secretHash } from "./agents";

/** Requests a key may make in a calendar minute, over all processes. */
export const REQUESTS_PER_MINUTE = Number(process.env.UNDERSIGNED_REQUESTS_PER_MINUTE ?? 3000);

export type RateLimit = { limit: number; remaining: number; resetSeconds: number };
export type AgentCaller = { ctx: Ctx<AgentActor>; rate: RateLimit };

type Row = { merchant_id: string | null; key_id: string; agent_id: string; owner_id: string; scopes: Scope[]; now: Date; requests: number };

/** The agent behind a key, counted against its minute. Refuses `unauthenticated` and `rate_limited`. */
export async function enterWithKey(secret: string, requestId: string): Promise<AgentCaller> {
  const { rows } = await pool().query<Row>({ name: "key_enter", text: "SELECT * FROM key_enter($1)", values: [secretHash(secret)] });
  const row = rows[0]!;
  if (!row.merchant_id) throw new Refusal("unauthenticated", { detail: "The key is unknown, revoked or has expired" });
  const resetSeconds = 60 - row.now.getUTCSeconds();
  const rate = { limit: REQUESTS_PER_MINUTE, remaining: Math.max(0, REQUESTS_PER_MINUTE - row.requests), resetSeconds };
  if (row.requests > REQUESTS_PER_MINUTE) throw new Refusal("rate_limited", { retryAfter: resetSeconds });
  const actor: AgentActor = { kind: "agent", id: row.agent_id, keyId: row.key_id, for: row.owner_id, scopes: row.scopes };
  return { ctx: { merchantId: row.merchant_id, actor, now: row.now, requestId }, rate };
}
