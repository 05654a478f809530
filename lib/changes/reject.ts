import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { digestedText } from "../kernel/digest";
import { Refusal } from "../kernel/refusal";
import { authoriseDecision } from "../ledger/authorise-decision";
import { commit } from "../ledger/commit";
import { advance, stateBlocker } from "./advance";
import { expiryBlocker } from "./approval-blocker";
import { Digest, replay, type Decided } from "./decided";
import { loadChange } from "./load";

export const REJECTION_CODES = ["already_refunded", "no_proof", "amount_too_high", "not_covered", "other"] as const;

export const RejectInput = z.object({
  changeId: z.string().min(1).max(64), seenDigest: Digest,
  code: z.enum(REJECTION_CODES).default("other"),
  reason: z.string().trim().min(1, "Say why, in a few words").max(2000),
});
export type RejectInput = z.infer<typeof RejectInput>;

/** Ends a change with a reason. Also who may not approve may reject; until it is being applied. */
export async function rejectChange(ctx: Ctx<PersonActor>, input: RejectInput): Promise<Decided> {
  const permit = await authoriseDecision(ctx, "change:decide", "reject", input.changeId);
  return commit(permit, { verb: "reject", subject: input.changeId, fallback: ctx.actor.id }, async (ledger) => {
    const change = await loadChange(ledger.db, ctx.merchantId, input.changeId);
    const { lastDecision } = change;
    if (change.state === "rejected" && lastDecision?.kind === "reject" && lastDecision.personId === ctx.actor.id) return replay(ledger.db, change, "reject", lastDecision.revision);

    const blocker = stateBlocker(change, "reject") ?? expiryBlocker(change, ledger.now);
    if (blocker) throw blocker;
    if (change.digest !== input.seenDigest) throw new Refusal("change_moved");

    const reason = digestedText({ text: input.reason });
    const moved = await advance(ledger, change, "reject", { code: input.code, reasonDigest: reason.digest });
    await ledger.db.digestedText.create({ data: { merchantId: ctx.merchantId, digest: reason.digest, subject: change.id, text: reason.text } });
    await ledger.db.decision.create({
      data: {
        merchantId: ctx.merchantId, changeId: change.id, revision: moved.change.revision, personId: ctx.actor.id, kind: "reject",
        seenDigest: input.seenDigest, textDigest: reason.digest, at: moved.entry.at,
      },
    });
    return { result: { verb: "reject", changeId: change.id, at: moved.entry.at, leafHash: moved.entry.leafHash, effectiveAt: null }, entries: [moved.entry], effects: [] };
  });
}
