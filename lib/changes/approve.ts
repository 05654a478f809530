import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { digestedText } from "../kernel/digest";
import { Refusal } from "../kernel/refusal";
import { authoriseDecision } from "../ledger/authorise-decision";
import { commit, type Committed, type Ledger } from "../ledger/commit";
import { readPolicy } from "../guardrails/queries";
import { readOrderFacts } from "../platforms/store/order-facts";
import { advance, type Advanced } from "./advance";
import { applyChange } from "./apply";
import { approvalBlocker } from "./approval-blocker";
import { Digest, earlierDecision, type Decided } from "./decided";
import { withMovedFigures } from "./figures";
import { judge } from "./judge";
import { judgedOf, readApprovedToday } from "./judged";
import { loadChange, type LoadedChange } from "./load";
import { LocalTimeInput, localTime, setTime } from "./schedule";

export const ApproveInput = z.object({
  changeId: z.string().min(1).max(64), seenDigest: Digest, seenFactsDigest: Digest,
  /** The figures as they were shown, to say what moved; they decide nothing. */
  seenFigures: z.string().max(100_000).optional(),
  comment: z.string().trim().max(2000).optional(),
  /** When it is to be applied, set by the last signature: `local` and `zone` of a clock. */
  ...LocalTimeInput,
});
export type ApproveInput = z.infer<typeof ApproveInput>;

/** Signs a change. The last needed signature approves it and takes the hold; an earlier one endorses it. */
export async function approveChange(ctx: Ctx<PersonActor>, input: ApproveInput): Promise<Decided> {
  const permit = await authoriseDecision(ctx, "change:decide", "approve", input.changeId);
  const time = input.local === undefined ? null : localTime(input);
  const decided = await commit(permit, { verb: "approve", subject: input.changeId, fallback: ctx.actor.id }, async (ledger) => {
    const change = await loadChange(ledger.db, ctx.merchantId, input.changeId);
    const earlier = await earlierDecision(ledger.db, change, ctx.actor.id, input);
    if (earlier) return earlier;

    await lockPayment(ledger, change.merchantId, change.paymentId);
    const order = (await readOrderFacts(ledger.db, ctx.merchantId, change.orderId))!;
    const policy = await readPolicy(ctx.merchantId, ledger.policyVersion, ledger.db);
    const approvedTodayMinor = await readApprovedToday(ledger.db, change, ctx.actor.id, ledger.clock);
    const judgement = await judge(ledger.db, ctx.merchantId, order, judgedOf(change), { policy, paused: ledger.paused, now: ledger.now, approvedTodayMinor });
    const blocker = approvalBlocker(change, ctx.actor.id, { digest: input.seenDigest, factsDigest: input.seenFactsDigest }, judgement, ledger.now);
    if (blocker) throw withMovedFigures(blocker, input, judgement.figures, change.currency);

    const required = Math.max(change.required, judgement.verdict.required);
    const have = change.counting.length + 1;
    const verb = have < required ? "endorse" : "approve";
    if (time && verb === "endorse") throw new Refusal("not_approved", { detail: "Whoever signs last sets the time" });
    const effectiveAt = verb === "approve" ? new Date(ledger.clock.getTime() + policy.rules.undo_seconds * 1000) : null;
    const comment = input.comment ? digestedText({ text: input.comment }) : null;
    const data = { policy: policy.version, required, have, factsDigest: judgement.factsDigest, commentDigest: comment?.digest };
    const moved = await advance(ledger, change, verb, data, { effectiveAt });
    if (comment) await ledger.db.digestedText.create({ data: { merchantId: ctx.merchantId, digest: comment.digest, subject: change.id, text: comment.text } });
    await ledger.db.decision.create({
      data: {
        merchantId: ctx.merchantId, changeId: change.id, revision: moved.change.revision, personId: ctx.actor.id, kind: verb, at: moved.entry.at,
        seenDigest: input.seenDigest, seenFactsDigest: input.seenFactsDigest, textDigest: comment?.digest ?? null,
      },
    });
    if (time) return timed(moved, await setTime(ledger, moved.change, ctx.actor.id, time));
    const result: Decided = { verb, changeId: change.id, at: moved.entry.at, leafHash: moved.entry.leafHash, effectiveAt };
    return { result, entries: [moved.entry], effects: effectiveAt ? [{ type: "change.apply", subject: change.id, dueAt: effectiveAt }] : [] };
  });
  const isNow = decided.effectiveAt !== null && decided.effectiveAt <= decided.at;
  if (isNow) await applyChange(ctx.merchantId, decided.changeId).catch(() => undefined); // the outbox has it too
  return decided;
}

/** An approval whose time is set with it. */
const timed = ({ entry }: Advanced<LoadedChange>, { result, entries, effects }: Committed<Decided>): Committed<Decided> =>
  ({ result: { ...result, verb: "approve", at: entry.at, leafHash: entry.leafHash }, entries: [entry, ...entries], effects });

/** Against writers that never append: an import that moves captures. */
async function lockPayment({ db }: Ledger, merchantId: string, paymentId: string): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM payment WHERE merchant_id = ${merchantId} AND id = ${paymentId} FOR UPDATE`;
}
