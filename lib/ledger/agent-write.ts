import type { AgentActor, Ctx } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { pool } from "../database/client";
import { inTransaction, type Db } from "../database/transactions";
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

type Checked = { request_hash: string | null; status: number; body: string; session_open: boolean };
const CHECK = "SELECT request_hash, status, body, session_open FROM agent_write_check($1, $2, $3, $4)";

/**
 * In one round trip: the answer kept for this request, or null, and whether the session is this agent's and open. Refuses
 * `idempotency_mismatch` where the key was used for another request.
 */
export async function checkAgentWrite(ctx: Ctx<AgentActor>, sessionId: string | null, request: RequestKey | null): Promise<{ before: Replay | null; sessionOpen: boolean }> {
  const { rows } = await pool().query<Checked>({ name: "agent_write_check", text: CHECK, values: [ctx.merchantId, ctx.actor.id, sessionId, request?.key ?? null] });
  const { request_hash, status, body, session_open } = rows[0]!;
  return { before: sameRequest(request, request_hash, { status, body }), sessionOpen: session_open };
}

function sameRequest(request: RequestKey | null, storedHash: string | null, answer: Answer): Replay | null {
  if (!request || storedHash === null) return null;
  if (storedHash !== request.hash) throw new Refusal("idempotency_mismatch");
  return { ...answer, replayed: true };
}

/** The same under the locks of the write: another call may have stored its answer meanwhile. */
export async function answerMeanwhile(db: Db, ctx: Ctx<AgentActor>, request: RequestKey): Promise<Replay | null> {
  const stored = await db.storedAnswer.findUnique({
    where: { merchantId_agentId_key: { merchantId: ctx.merchantId, agentId: ctx.actor.id, key: request.key } },
  });
  return stored && (!stored.keepUntil || stored.keepUntil > ctx.now) ? sameRequest(request, stored.requestHash, stored) : null;
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
    const before = request && (await answerMeanwhile(db, ctx, request));
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
