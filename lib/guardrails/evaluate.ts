import type { RuleResult, Verdict, Violation } from "../kernel/verdict";
import { maxItemsPerChange } from "./rules/max-items-per-change";
import { maxRefundAmount } from "./rules/max-refund-amount";
import { paused } from "./rules/paused";
import { refundApprovals, requiredApprovals } from "./rules/refund-approvals";
import { refundWindowDays } from "./rules/refund-window-days";
import { refundableRemainder } from "./rules/refundable-remainder";
import type { Policy, PolicyRules } from "./schema";

/** What is proposed, as far as a rule cares. */
export type ProposedRefund = {
  currency: string;
  amountMinor: bigint;
  items: number;
  /** Parts that ask for more of a line or of shipping than is left of it, and targets named twice. */
  overdrawn: readonly Violation[];
};

/** The live figures a refund is judged on. */
export type RefundFacts = {
  now: Date;
  paused: boolean;
  paidAt: Date;
  /** Captured − refunded − disputed − held by other changes. May be negative. */
  remainingMinor: bigint;
  /** The order's refunds of the last 30 days: applied, held, staged earlier, and this one. */
  orderTotalMinor: bigint;
};

/** A rule's finding; null where the rule has nothing to say. `path` names the input that broke it. */
export type Finding = (RuleResult & { path: string }) | null;
export type Rule = (rules: PolicyRules, change: ProposedRefund, facts: RefundFacts) => Finding;

const RULES: readonly Rule[] = [paused, maxItemsPerChange, maxRefundAmount, refundableRemainder, refundWindowDays, refundApprovals];

/** Judges a refund by a policy on the facts: pure, the same at staging, on screen and at apply. */
export function evaluate(policy: Policy, change: ProposedRefund, facts: RefundFacts): { verdict: Verdict; violations: Violation[] } {
  const findings = RULES.map((rule) => rule(policy.rules, change, facts)).filter((finding) => finding !== null);
  const broken = findings.filter((finding) => !finding.ok).map(({ rule, path, cap, actual }) => ({ rule, path, cap, actual }));
  const violations = [...broken, ...change.overdrawn];
  const required = requiredApprovals(policy.rules, change.currency, facts.orderTotalMinor);
  const outcome = violations.length > 0 ? "refuse" : "needs_approvals";
  const rules = findings.map(({ rule, cap, actual, ok }) => ({ rule, cap, actual, ok }));
  const overdrawn = change.overdrawn.map(({ rule, cap, actual }) => ({ rule, cap, actual, ok: false }));
  return { verdict: { outcome, required, policy: policy.version, rules: [...rules, ...overdrawn] }, violations };
}
