import type { AgentActor, Ctx } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { tenant } from "../database/client";
import { inTransaction, type Db, type Reader } from "../database/transactions";
import { leavesTrace, traceRefusal, type Attempt } from "./refusal-trace";

/** The identity of a request under its Idempotency-Key. `hash` is over method, path, query and the body's JCS. */
export type RequestKey = { key: string; hash: string };
export type Answer = { status: number; body: string };
export type Replay = Answer & { replayed: true };

/** Takes the locks of an agent's write: its Idempotency-Key first, then its session. Refuses where either is in use. */
export async function beginAgentWrite(db: Db, ctx: Ctx<AgentActor>, sessionId: string | null, key: string | null): Promise<void> {
  const [row] = await db.$queryRaw<{ begun: string }[]>`SELECT agent_write_begin(${ctx.merchantId}, ${ctx.actor.id}, ${sessionId}::text, ${key}::text) AS begun`;
  if (row!.begun !== "go") throw new Refusal(row!.begun as "session_busy" | "idempotency_in_progress", { retryAfter: 1 });
}

/** The stored answer of this key, or null. Refuses `idempotency_mismatch` where the key was used for another request. */
export async function storedAnswer(ctx: Ctx<AgentActor>, request: RequestKey, db: Reader = tenant(ctx.merchantId)): Promise<Replay | null> {
  const stored = await db.storedAnswer.findUnique({
    where: { merchantId_agentId_key: { merchantId: ctx.merchantId, agentId: ctx.actor.id, key: request.key } },
  });
  if (!stored || (stored.keepUntil && stored.keepUntil <= ctx.now)) return null;
  if (stored.requestHash !== request.hash) throw new Refusal("idempotency_mismatch");
  return { status: stored.status, body: stored.body, replayed: true };
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * Commits what was refused before any write began: the trace and, under an Idempotency-Key, the answer for a day.
 * Returns the answer of the same request where another call stored one meanwhile; that one wins.
 */
export async function commitRefusal(
  ctx: Ctx<AgentActor>, attempt: Attempt, refusal: Refusal, sessionId: string | null, request: RequestKey | null, answer: Answer,
): Promise<Replay | null> {
  if (!leavesTrace(refusal)) return null;
  return inTransaction(ctx.merchantId, async (db) => {
    await beginAgentWrite(db, ctx, sessionId, request?.key ?? null);
    await db.$queryRaw`SELECT now FROM ledger_lock(${ctx.merchantId})`;
    const before = request && (await storedAnswer(ctx, request, db));
    if (before) return before;
    await traceRefusal(db, ctx, attempt, refusal);
    if (request) await keepAnswer(db, ctx, request, answer, new Date(ctx.now.getTime() + DAY));
    return null;
  });
}

async function keepAnswer(db: Db, ctx: Ctx<AgentActor>, request: RequestKey, answer: Answer, keepUntil: Date): Promise<void> {
  const at = { merchantId: ctx.merchantId, agentId: ctx.actor.id, key: request.key };
  const kept = { requestHash: request.hash, status: answer.status, body: answer.body, at: ctx.now, keepUntil };
  await db.storedAnswer.upsert({ where: { merchantId_agentId_key: at }, create: { ...at, ...kept }, update: kept });
}
