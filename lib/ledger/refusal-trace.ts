import type { Json } from "../kernel/canonical-json";
import { entryActor, type Ctx } from "../kernel/context";
import { REFUSALS, type Refusal, type RefusedProposal } from "../kernel/refusal";
import type { Db } from "../database/transactions";
import { draftText } from "../log/append";

/** What was tried, and on what: the id is the entry's subject where it is ours, `fallback` where it turns out not to be. */
export type Attempt = { verb: string; subject: string; fallback?: string };

const COUNTED_ONLY = new Set<string>(["session_busy", "idempotency_in_progress"]);
const LOGGED = new Set<number>([403, 404, 409, 422]);

/** Whether a refused write leaves an entry (I9). */
export const leavesTrace = (refusal: Refusal): boolean =>
  !refusal.traced && LOGGED.has(REFUSALS[refusal.code].status) && !COUNTED_ONLY.has(refusal.code);

/** Writes `change.refused`, at most 60 a minute per key or person and 600 of a merchant's keys together. Nothing the caller wrote enters it. */
export async function traceRefusal(db: Db, ctx: Ctx, attempt: Attempt, refusal: Refusal): Promise<void> {
  const { actor } = ctx;
  const subject = refusal.code === "not_found" && attempt.fallback ? attempt.fallback : attempt.subject;
  const broken = refusal.more.violations?.[0];
  const data: Json = { code: refusal.code, verb: attempt.verb, rule: broken?.rule, cap: broken?.cap, actual: broken?.actual };
  const limitedBy = actor.kind === "agent" ? actor.keyId : actor.id;
  const [row] = await db.$queryRaw<{ seq: bigint | null }[]>`SELECT refusal_append(${ctx.merchantId}, ${actor.id}, ${limitedBy}, ${draftText(entryActor(actor), { type: "change.refused", subject, data })}) AS seq`;
  if (row!.seq !== null && refusal.more.proposal) await keepProposal(db, ctx.merchantId, row!.seq, refusal.more.proposal);
  refusal.traced = true;
}

async function keepProposal(db: Db, merchantId: string, seq: bigint, { by, verdict, ...judged }: RefusedProposal): Promise<void> {
  await db.refusedProposal.create({ data: { merchantId, seq, proposedBy: by, ...judged, verdict: JSON.stringify(verdict) } });
}
