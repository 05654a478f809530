import type { Ctx, SystemActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { databaseNow } from "../database/transactions";
import { tenant } from "../database/client";
import { commit, NothingToDo } from "../ledger/commit";
import { advance } from "./advance";
import { canAdvance, type ChangeState } from "./lifecycle";
import { loadChange } from "./load";

type Expiring = { state: string; expiresAt: Date };
const isOver = (change: Expiring, now: Date): boolean => change.expiresAt <= now && canAdvance(change.state as ChangeState, "expire");

/** Ends what nobody decided, or what was approved and never took effect, when its time is up. False where there is nothing to do. */
export async function expireChange(merchantId: string, changeId: string): Promise<boolean> {
  const ctx: Ctx<SystemActor> = { merchantId, actor: { kind: "system", id: "worker" }, now: await databaseNow(), requestId: `expire ${changeId}` };
  const permit = authorise(ctx, "change:expire");
  const seen = await tenant(merchantId).change.findUnique({ where: { merchantId_id: { merchantId, id: changeId } }, select: { state: true, expiresAt: true } });
  if (!seen || !isOver(seen, ctx.now)) return false;
  return commit(permit, { verb: "expire", subject: changeId }, async (ledger) => {
    const change = await loadChange(ledger.db, merchantId, changeId);
    if (!isOver(change, ledger.now)) throw new NothingToDo();
    const { entry } = await advance(ledger, change, "expire", {});
    return { result: true, entries: [entry], effects: [] };
  }).catch((error: unknown) => {
    if (error instanceof NothingToDo) return false;
    throw error;
  });
}
