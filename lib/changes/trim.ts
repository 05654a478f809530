import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import type { Db } from "../database/transactions";
import { authoriseDecision } from "../ledger/authorise-decision";
import { commit, type Committed } from "../ledger/commit";
import { readPolicy } from "../guardrails/queries";
import { readOrderFacts } from "../platforms/store/order-facts";
import { actorAt } from "./actor-at";
import { advance } from "./advance";
import { approvalBlocker } from "./approval-blocker";
import { ApproveInput } from "./approve";
import { compose } from "./compose";
import { replay, type Decided } from "./decided";
import { withMovedFigures } from "./figures";
import { judge } from "./judge";
import { eligibleApprovers, judgedOf, readApprovedToday } from "./judged";
import { loadChange, type LoadedChange } from "./load";
import { lockPayment } from "./lock-payment";
import { isLowered, lowerItems, type Lowered } from "./lower-items";
import { applyIfDue, sign } from "./sign";
import { itemOf } from "./staged-row";

const LoweredText = z.record(z.string().max(64), z.string().trim().max(40));

export const TrimInput = ApproveInput.omit({ local: true, zone: true }).extend({
  /** JSON: by target, what is left of it, as it was typed. */
  lowered: z.string().max(100_000).transform((text, issues) => {
    try {
      return LoweredText.parse(JSON.parse(text));
    } catch {
      issues.addIssue({ code: "custom", message: "Give what is left of each line" });
      return z.NEVER;
    }
  }),
});
export type TrimInput = z.infer<typeof TrimInput>;

/**
 * Lowers a staged refund and signs what is left, in one step: the change is withdrawn, and one that asks for less takes its place, staged by
 * the same stager. Signatures on the old one do not count for the new one. Whoever may approve may trim.
 */
export async function trimChange(ctx: Ctx<PersonActor>, input: TrimInput): Promise<Decided> {
  const { merchantId, actor } = ctx;
  const permit = await authoriseDecision(ctx, "change:decide", "trim", input.changeId);
  const decided = await commit(permit, { verb: "trim", subject: input.changeId, fallback: actor.id }, async (ledger) => {
    const change = await loadChange(ledger.db, merchantId, input.changeId);
    const earlier = await earlierTrim(ledger.db, change, actor.id, input.lowered);
    if (earlier) return earlier;

    await lockPayment(ledger.db, merchantId, change.orderId);
    const order = (await readOrderFacts(ledger.db, merchantId, change.orderId))!;
    const policy = await readPolicy(merchantId, ledger.policyVersion, ledger.db);
    const excludes = await excludesOf(ledger.db, change);
    const circumstances = { policy, paused: ledger.paused, now: ledger.now };
    const seen = await judge(ledger.db, merchantId, order, judgedOf(change), circumstances);
    // What is seen is the change as it was proposed; what is judged is what is left of it.
    const may = approvalBlocker({ ...change, excludes, approvals: [] }, actor.id, { digest: input.seenDigest, factsDigest: input.seenFactsDigest }, { ...seen, amountMinor: 0n, remainingMinor: 0n, violations: [] }, ledger.now);
    if (may) throw withMovedFigures(may, input, seen.figures, change.currency);
    const items = lowerItems(change.content.items, input.lowered, order);
    const approvedTodayMinor = await readApprovedToday(ledger.db, change, actor.id, ledger.clock);
    const eligible = await eligibleApprovers(ledger.db, merchantId, excludes);
    const judgement = await judge(ledger.db, merchantId, order, { ...judgedOf(change), stagedSeq: null, items }, { ...circumstances, approvedTodayMinor, eligible });
    const blocker = approvalBlocker({ ...change, excludes, approvals: [] }, actor.id, { digest: change.digest, factsDigest: judgement.factsDigest }, judgement, ledger.now);
    if (blocker) throw withMovedFigures(blocker, input, judgement.figures, change.currency);

    const { entry: withdrawn } = await advance(ledger, change, "withdraw", {});
    const { content, keyId, sessionId, expiresAt } = change;
    const { row } = compose(
      merchantId, { order, items, judgement, policy }, { stager: await actorAt(ledger.db, { ...change, revision: 1 }), keyId, sessionId, excludes, supersedes: change.id, trimmedBy: actor.id },
      { reason: content.reason, note: content.note, evidence: content.evidence, stagedAt: ledger.now, expiresAt },
    );
    const staged = await ledger.stage(itemOf(row, null));
    const signed = await sign(ledger, ctx, await loadChange(ledger.db, merchantId, row.id), { judgement, policy, seenFactsDigest: judgement.factsDigest, comment: input.comment });
    return { ...signed, entries: [withdrawn, staged, ...signed.entries] };
  });
  return applyIfDue(merchantId, decided);
}

/** Who might not approve it, and whoever has come to its key since. */
async function excludesOf(db: Db, { merchantId, keyId, excludes }: LoadedChange): Promise<string[]> {
  const key = keyId && (await db.agentKey.findUnique({ where: { merchantId_id: { merchantId, id: keyId } }, select: { persons: true } }));
  return [...excludes, ...(key ? key.persons : [])];
}

/** The same form again: what this person put in its place, and signed. */
async function earlierTrim(db: Db, { merchantId, id, state, content, currency }: LoadedChange, personId: string, lowered: Lowered): Promise<Committed<Decided> | null> {
  if (state !== "withdrawn") return null;
  const replacement = await db.change.findFirst({ where: { merchantId, supersedes: id, trimmedBy: personId }, select: { id: true } });
  const change = replacement && (await loadChange(db, merchantId, replacement.id));
  const own = change?.approvals.find((approval) => approval.personId === personId);
  if (!change || !own || !isLowered(content.items, lowered, change.content.items, currency)) return null;
  return replay(db, change, own.kind === "endorse" ? "endorse" : "approve", own.revision);
}
