import type { Rule } from "../rule";

/** Never more than captured − refunded − held − disputed. */
export const refundableRemainder: Rule = (_rules, change, facts) => {
  const remaining = facts.remainingMinor > 0n ? facts.remainingMinor : 0n;
  return { rule: "refundable_remainder", path: "/amount", cap: String(remaining), actual: String(change.amountMinor), ok: change.amountMinor <= remaining };
};
