import type { Rule } from "../evaluate";

/** A currency without a cap is refused: no cap is not an endless one. */
export const maxRefundAmount: Rule = (rules, change) => {
  const cap = rules.max_refund_amount[change.currency];
  if (cap === undefined) return { rule: "no_cap_for_currency", path: "/currency", cap: "none", actual: change.currency, ok: false };
  return { rule: "max_refund_amount", path: "/amount", cap, actual: String(change.amountMinor), ok: change.amountMinor <= BigInt(cap) };
};
