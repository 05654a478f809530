import type { Ctx, EntryActor, PersonActor, SystemActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { tenant } from "../database/client";
import { databaseNow } from "../database/transactions";
import { commit, NothingToDo, type Committed, type Ledger } from "../ledger/commit";
import { paymentElsewhere, platformOf } from "../platforms/registry";
import { actorAt } from "./actor-at";
import { advance } from "./advance";
import { beginApply } from "./begin-apply";
import { driveItems } from "./drive-items";
import { judgeHeld, type FailureCause } from "./judge-held";
import { loadChange, type LoadedChange } from "./load";

/**
 * Whoever comes first applies an approval that has taken effect: the request, the page's countdown or the worker. A change that is
 * applying already is driven on: the normal path and recovery are the same.
 */
export async function applyChange(merchantId: string, changeId: string): Promise<void> {
  const now = await databaseNow();
  const seen = await tenant(merchantId).change.findUnique({ where: { merchantId_id: { merchantId, id: changeId } }, select: { state: true, effectiveAt: true } });
  if (seen && isDue(seen, now)) await begin(merchantId, changeId, now);
  else if (seen?.state !== "applying") return;
  await driveItems(merchantId, changeId);
}

/** The same, asked for by a person's page when its countdown is over. What is not theirs is not there. */
export async function takeEffectNow(ctx: Ctx<PersonActor>, changeId: string): Promise<void> {
  authorise(ctx, "change:apply");
  await applyChange(ctx.merchantId, String(changeId).slice(0, 64));
}

const isDue = (change: { state: string; effectiveAt: Date | null }, now: Date): boolean =>
  change.state === "approved" && change.effectiveAt !== null && change.effectiveAt <= now;

/** Judges on today's rules and figures, then begins, or fails with its cause. */
async function begin(merchantId: string, changeId: string, now: Date): Promise<void> {
  const ctx: Ctx<SystemActor> = { merchantId, actor: { kind: "system", id: "worker" }, now, requestId: `apply ${changeId}` };
  const platform = await platformOf(tenant(merchantId), merchantId);
  const { paymentId } = await loadChange(tenant(merchantId), merchantId, changeId);
  const elsewhere = await paymentElsewhere(platform, tenant(merchantId), { merchantId, id: paymentId });
  await commit<unknown>(authorise(ctx, "change:apply"), { verb: "apply", subject: changeId }, async (ledger) => {
    const change = await loadChange(ledger.db, merchantId, changeId);
    if (!isDue(change, ledger.clock) || change.expiresAt <= ledger.now) throw new NothingToDo();
    const mover = await actorAt(ledger.db, change); // who signed last, or set the time since
    const { judgement, cause } = await judgeHeld(ledger, change, elsewhere);
    return cause ? fail(ledger, change, cause, mover) : beginApply(ledger, change, platform, judgement.verdict.policy, mover);
  }).catch((error: unknown) => {
    if (!(error instanceof NothingToDo)) throw error;
  });
}

async function fail(ledger: Ledger, change: LoadedChange, cause: FailureCause, as: EntryActor): Promise<Committed<void>> {
  const { entry } = await advance(ledger, change, "failApply", cause, { as });
  return { result: undefined, entries: [entry], effects: [] };
}
