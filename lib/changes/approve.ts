import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { authoriseDecision } from "../ledger/authorise-decision";
import { commit } from "../ledger/commit";
import { readPolicy } from "../guardrails/queries";
import { readOrderFacts } from "../platforms/store/order-facts";
import { approvalBlocker } from "./approval-blocker";
import { Digest, earlierDecision, type Decided } from "./decided";
import { withMovedFigures } from "./figures";
import { judge } from "./judge";
import { judgedOf, readApprovedToday } from "./judged";
import { loadChange } from "./load";
import { lockPayment } from "./lock-payment";
import { LocalTimeInput, localTime } from "./schedule";
import { applyIfDue, sign } from "./sign";

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
  const decided = await commit(permit, { verb: "approve", subject: input.changeId, fallback: ctx.actor.id }, async (ledger) => {
    const change = await loadChange(ledger.db, ctx.merchantId, input.changeId);
    const time = input.local === undefined ? null : localTime(input);
    const earlier = await earlierDecision(ledger.db, change, ctx.actor.id, input);
    if (earlier && (!time || earlier.result.effectiveAt?.getTime() === time.at.getTime())) return earlier;

    await lockPayment(ledger.db, change.merchantId, change.orderId);
    const order = (await readOrderFacts(ledger.db, ctx.merchantId, change.orderId))!;
    const policy = await readPolicy(ctx.merchantId, ledger.policyVersion, ledger.db);
    const approvedTodayMinor = await readApprovedToday(ledger.db, change, ctx.actor.id, ledger.clock);
    const judgement = await judge(ledger.db, ctx.merchantId, order, judgedOf(change), { policy, paused: ledger.paused, now: ledger.now, approvedTodayMinor });
    const blocker = approvalBlocker(change, ctx.actor.id, { digest: input.seenDigest, factsDigest: input.seenFactsDigest }, judgement, ledger.now);
    if (blocker) throw withMovedFigures(blocker, input, judgement.figures, change.currency);
    return sign(ledger, ctx, change, { judgement, policy, seenFactsDigest: input.seenFactsDigest, comment: input.comment, time });
  });
  return applyIfDue(ctx.merchantId, decided);
}
