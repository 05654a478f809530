import type { Ledger } from "../ledger/commit";
import { readPolicy } from "../guardrails/queries";
import { readProgress } from "../platforms/items";
import type { PaymentOnPlatform } from "../platforms/platform";
import { readOrderFacts } from "../platforms/store/order-facts";
import { judge, type Judgement } from "./judge";
import { judgedOf } from "./judged";
import type { LoadedChange } from "./load";
import { lockPayment } from "./lock-payment";

export type FailureCause = { cause: "guardrail_violation" | "quorum_not_met" | "platform_moved"; rule: string; cap: string; actual: string };

/** Today's rules and figures on a change that holds its money, or (a retry) would hold it again: what is not done yet of it. */
export async function judgeHeld(ledger: Ledger, change: LoadedChange, onPlatform: PaymentOnPlatform | null): Promise<{ judgement: Judgement; cause: FailureCause | null }> {
  const { db } = ledger;
  const { merchantId } = change;
  await lockPayment(db, merchantId, change.orderId);
  const order = (await readOrderFacts(db, merchantId, change.orderId))!;
  const policy = await readPolicy(merchantId, ledger.policyVersion, db);
  const done = (await readProgress(db, merchantId, change.id)).filter(({ state }) => state === "done").map(({ item }) => item);
  const items = change.content.items.filter((_, index) => !done.includes(index));
  const judged = { ...judgedOf(change), items, holding: change.state === "approved" };
  const judgement = await judge(db, merchantId, order, judged, { policy, paused: ledger.paused, now: ledger.now });
  return { judgement, cause: broken(judgement) ?? tooFew(change, judgement) ?? movedOnPlatform(judgement, onPlatform) };
}

function broken({ violations: [first] }: Judgement): FailureCause | null {
  return first ? { cause: "guardrail_violation", rule: first.rule, cap: first.cap, actual: first.actual } : null;
}

/** A quorum that was met stands, whoever leaves meanwhile; trying again is a new decision, for which only who may still decide counts. */
function tooFew(change: LoadedChange, { verdict }: Judgement): FailureCause | null {
  const again = change.state === "failed";
  const have = (again ? change.counting : change.approvals).length;
  const required = again ? Math.max(change.required, verdict.required) : verdict.required;
  return have < required ? { cause: "quorum_not_met", rule: "refund_approvals", cap: String(required), actual: String(have) } : null;
}

/** The platform knows refunds and disputes that we may not: less than this change asks for may be left there. */
function movedOnPlatform({ amountMinor }: Judgement, onPlatform: PaymentOnPlatform | null): FailureCause | null {
  if (!onPlatform) return null;
  const left = onPlatform.capturedMinor - onPlatform.refundedMinor - onPlatform.disputedMinor;
  return amountMinor > left ? { cause: "platform_moved", rule: "refundable_remainder", cap: String(left > 0n ? left : 0n), actual: String(amountMinor) } : null;
}
