import type { Rule } from "../rule";

const DAY = 24 * 60 * 60 * 1000;

/** Whole days since the payment. */
export const refundWindowDays: Rule = (rules, _change, facts) => {
  const days = Math.max(0, Math.floor((facts.now.getTime() - facts.paidAt.getTime()) / DAY));
  return { rule: "refund_window_days", path: "/orderId", cap: String(rules.refund_window_days), actual: String(days), ok: days <= rules.refund_window_days };
};
