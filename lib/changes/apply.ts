import type { Ctx, EntryActor, SystemActor } from "../kernel/context";
import { newId } from "../kernel/ids";
import { authorise } from "../kernel/permit";
import { prisma } from "../database/client";
import { databaseNow } from "../database/transactions";
import { commit, NothingToDo, type Committed, type Ledger } from "../ledger/commit";
import { readPolicy } from "../guardrails/queries";
import { readOrderFacts } from "../platforms/store/order-facts";
import { writeRefund } from "../platforms/store/write-refund";
import { advance } from "./advance";
import { judge, type Judgement } from "./judge";
import { loadChange, type LoadedChange } from "./load";

/** Whoever comes first applies an approval that has taken effect: the request, the page's countdown or the worker. True if this call moved it. */
export async function applyChange(merchantId: string, changeId: string): Promise<boolean> {
  const ctx: Ctx<SystemActor> = { merchantId, actor: { kind: "system", id: "worker" }, now: await databaseNow(), requestId: `apply ${changeId}` };
  const permit = authorise(ctx, "change:apply");
  const seen = await prisma().change.findUnique({ where: { merchantId_id: { merchantId, id: changeId } }, select: { state: true, effectiveAt: true } });
  if (!seen || !isDue(seen, ctx.now)) return false;
  try {
    await commit<unknown>(permit, { verb: "apply", subject: changeId }, async (ledger) => {
      const change = await loadChange(ledger.db, merchantId, changeId);
      if (!isDue(change, ledger.now) || change.expiresAt <= ledger.now) throw new NothingToDo();
      const approver: EntryActor = { kind: "person", id: change.approvals.at(-1)!.personId };
      const { judgement, cause } = await judgeHeld(ledger, change);
      return cause ? fail(ledger, change, cause, approver) : writeApplied(ledger, change, judgement.verdict.policy, approver);
    });
    return true;
  } catch (error) {
    if (error instanceof NothingToDo) return false;
    throw error;
  }
}

const isDue = (change: { state: string; effectiveAt: Date | null }, now: Date): boolean =>
  change.state === "approved" && change.effectiveAt !== null && change.effectiveAt <= now;

export type FailureCause = { cause: "guardrail_violation" | "quorum_not_met"; rule: string; cap: string; actual: string };

/** Today's rules and figures on a change that holds its money, or (a retry) would hold it again. */
export async function judgeHeld(ledger: Ledger, change: LoadedChange): Promise<{ judgement: Judgement; cause: FailureCause | null }> {
  await ledger.db.$queryRaw`SELECT 1 FROM payment WHERE merchant_id = ${change.merchantId} AND id = ${change.paymentId} FOR UPDATE`;
  const order = (await readOrderFacts(ledger.db, change.merchantId, change.orderId))!;
  const policy = await readPolicy(change.merchantId, ledger.policyVersion, ledger.db);
  const judged = { id: change.id, stagedSeq: change.stagedSeq, currency: change.currency, items: change.content.items, holding: change.state === "approved" };
  const judgement = await judge(ledger.db, change.merchantId, order, judged, { policy, paused: ledger.paused, now: ledger.now });
  const [broken] = judgement.violations;
  if (broken) return { judgement, cause: { cause: "guardrail_violation", rule: broken.rule, cap: broken.cap, actual: broken.actual } };
  const have = change.approvals.length;
  const { required } = judgement.verdict;
  return { judgement, cause: have < required ? { cause: "quorum_not_met", rule: "refund_approvals", cap: String(required), actual: String(have) } : null };
}

async function fail(ledger: Ledger, change: LoadedChange, cause: FailureCause, as: EntryActor): Promise<Committed<void>> {
  const { entry } = await advance(ledger, change, "failApply", cause, { as });
  return { result: undefined, entries: [entry], effects: [] };
}

/** Built-in store: platform write, `applying` and `applied` are one transaction, all items or none (DESIGN section 4). */
export async function writeApplied(ledger: Ledger, change: LoadedChange, policy: number, as: EntryActor): Promise<Committed<{ at: Date; leafHash: string }>> {
  const attempt = `${change.id}/${change.revision + 1}`;
  const applying = await advance(ledger, change, "beginApply", { attempt, policy }, { as });
  const reference = newId("rfd");
  await writeRefund(ledger.db, { ...change, id: reference, changeId: change.id, revision: applying.change.revision + 1, at: ledger.now });
  const applied = await advance(ledger, applying.change, "finishApply", { attempt, references: [reference] }, { as });
  return { result: applied.entry, entries: [applying.entry, applied.entry], effects: [] };
}
