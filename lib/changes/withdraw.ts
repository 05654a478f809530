import type { AgentActor, Ctx, PersonActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { beginAgentWrite } from "../ledger/agent-write";
import { authoriseDecision } from "../ledger/authorise-decision";
import { commit } from "../ledger/commit";
import { advance, stateBlocker } from "./advance";
import type { Decided } from "./decided";
import { loadChange } from "./load";
import type { RetractInput } from "./retract";

/** An agent takes back what it proposed itself, while staged or approved. Another agent's change answers as if it did not exist. */
export async function withdrawOwn(ctx: Ctx<AgentActor>, sessionId: string, changeId: string): Promise<void> {
  const permit = authorise(ctx, "change:withdraw");
  await commit(permit, { verb: "withdraw", subject: changeId, fallback: sessionId }, async (ledger) => {
    const change = await loadChange(ledger.db, ctx.merchantId, changeId);
    if (change.agentId !== ctx.actor.id) throw new Refusal("not_found");
    if (change.state === "failed") throw new Refusal("change_already_failed");
    const blocker = stateBlocker(change, "withdraw");
    if (blocker) throw blocker;
    const { entry } = await advance(ledger, change, "withdraw", {});
    return { result: undefined, entries: [entry], effects: [] };
  }, (db) => beginAgentWrite(db, ctx, sessionId, null));
}

/** A person gives up on a change that failed to apply. */
export async function withdrawFailed(ctx: Ctx<PersonActor>, input: RetractInput): Promise<Decided> {
  const permit = await authoriseDecision(ctx, "change:withdraw", "withdraw", input.changeId);
  return commit(permit, { verb: "withdraw", subject: input.changeId, fallback: ctx.actor.id }, async (ledger) => {
    const change = await loadChange(ledger.db, ctx.merchantId, input.changeId);
    if (change.state !== "failed") throw stateBlocker(change, "withdraw") ?? new Refusal("not_failed");
    if (change.digest !== input.seenDigest) throw new Refusal("change_moved");
    const { entry } = await advance(ledger, change, "withdraw", {});
    return { result: { verb: "withdraw", changeId: change.id, at: entry.at, leafHash: entry.leafHash, effectiveAt: null }, entries: [entry], effects: [] };
  });
}
