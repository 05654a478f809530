import type { Rule } from "../rule";
import { withinMoneyCap } from "./money-cap";

/** What one refund may come to: an agent's, or a person's own under a cap of its own. */
export const maxRefundAmount: Rule = (rules, { by, currency, amountMinor }) => {
  if (by === "agent") return withinMoneyCap("max_refund_amount", rules.max_refund_amount, currency, amountMinor);
  return rules.max_operator_refund_amount ? withinMoneyCap("max_operator_refund_amount", rules.max_operator_refund_amount, currency, amountMinor) : null;
};
