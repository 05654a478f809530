import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { authoriseDecision } from "../ledger/authorise-decision";
import { commit } from "../ledger/commit";
import { advance, stateBlocker } from "./advance";
import { Digest, replay, type Decided } from "./decided";
import { loadChange, type LoadedChange } from "./load";

export const RetractInput = z.object({ changeId: z.string().min(1).max(64), seenDigest: Digest });
export type RetractInput = z.infer<typeof RetractInput>;

/** An approver takes back their approval before it takes effect; only theirs is void, and they may approve again. */
export async function retractApproval(ctx: Ctx<PersonActor>, input: RetractInput): Promise<Decided> {
  const permit = await authoriseDecision(ctx, "change:decide", "retract", input.changeId);
  return commit(permit, { verb: "retract", subject: input.changeId, fallback: ctx.actor.id }, async (ledger) => {
    const change = await loadChange(ledger.db, ctx.merchantId, input.changeId);
    const { lastDecision } = change;
    if (change.state === "staged" && lastDecision?.kind === "retract" && lastDecision.personId === ctx.actor.id) return replay(ledger.db, change, "retract", lastDecision.revision);

    const blocker = retractBlocker(change, ctx.actor.id, ledger.clock);
    if (blocker) throw blocker;
    if (change.digest !== input.seenDigest) throw new Refusal("change_moved");

    const moved = await advance(ledger, change, "retract", {});
    await ledger.db.decision.create({
      data: { merchantId: ctx.merchantId, changeId: change.id, revision: moved.change.revision, personId: ctx.actor.id, kind: "retract", seenDigest: input.seenDigest, at: moved.entry.at },
    });
    return { result: { verb: "retract", changeId: change.id, at: moved.entry.at, leafHash: moved.entry.leafHash, effectiveAt: null }, entries: [moved.entry], effects: [] };
  });
}

/** Why this person cannot take their approval back now, or null. */
export function retractBlocker(change: LoadedChange, personId: string, now: Date): Refusal | null {
  if (change.state === "applying" || change.state === "applied" || change.state === "failed") return new Refusal("too_late_to_retract");
  const blocker = stateBlocker(change, "retract");
  if (blocker) return blocker;
  if (change.effectiveAt && change.effectiveAt <= now) return new Refusal("too_late_to_retract");
  return change.approvals.some((approval) => approval.personId === personId) ? null : new Refusal("not_your_approval");
}
