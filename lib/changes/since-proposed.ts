import { formatMoney } from "../kernel/money";
import type { Verdict } from "../kernel/verdict";
import type { OrderFacts } from "../platforms/store/order-facts";
import type { Judgement } from "./judge";
import type { LoadedChange } from "./load";
import type { ChangeView } from "./view";

/** What moved since a change was proposed: each figure as it was then and as it is. Lines say theirs themselves. */
export function sinceProposed(change: LoadedChange, then: { captured: string; verdict: Verdict }, order: OrderFacts, judgement: Judgement): ChangeView["sinceProposed"] {
  const money = (minor: bigint) => formatMoney({ amountMinor: minor, currency: change.currency });
  const left = then.verdict.rules.find(({ rule }) => rule === "refundable_remainder")?.cap;
  const figures = [
    { label: "Paid", was: money(BigInt(then.captured)), now: money(order.payment.capturedMinor) },
    ...(left === undefined ? [] : [{ label: "Left on the payment", was: money(BigInt(left)), now: money(judgement.remainingMinor) }]),
    { label: "Signatures needed", was: String(then.verdict.required), now: String(judgement.verdict.required) },
    { label: "Policy version", was: String(then.verdict.policy), now: String(judgement.verdict.policy) },
  ];
  return figures.filter(({ was, now }) => was !== now);
}
