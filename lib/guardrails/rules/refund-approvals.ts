import type { Rule } from "../rule";
import type { PublishedRules } from "../schema";

const tierOf = (rules: PublishedRules, currency: string, totalMinor: bigint) =>
  rules.refund_approvals.find(({ up_to }) => up_to === undefined || totalMinor <= BigInt(up_to[currency] ?? "-1"));

/** How many persons must approve, by the order's refunds of 30 days. Above every tier: one more than the last names. */
export function requiredApprovals(rules: PublishedRules, currency: string, totalMinor: bigint): number {
  return tierOf(rules, currency, totalMinor)?.approvals ?? Math.max(...rules.refund_approvals.map((tier) => tier.approvals)) + 1;
}

/** Says where the next signature begins: the cap is the first tier's end, the actual the order's refunds of 30 days. Never refuses. */
export const refundApprovals: Rule = (rules, change, facts) => {
  const first = rules.refund_approvals[0]?.up_to?.[change.currency];
  return { rule: "refund_approvals", path: "/amount", cap: first ?? "0", actual: String(facts.orderTotalMinor), ok: true };
};
