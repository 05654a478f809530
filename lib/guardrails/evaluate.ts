import type { RuleResult, Verdict, Violation } from "../kernel/verdict";
import { agentDailyChanges } from "./rules/agent-daily-changes";
import { agentDailyRefundTotal } from "./rules/agent-daily-refund-total";
import { eligibleApprovers } from "./rules/eligible-approvers";
import { maxItemsPerChange } from "./rules/max-items-per-change";
import { maxPendingPerAgent } from "./rules/max-pending-per-agent";
import { maxRefundAmount } from "./rules/max-refund-amount";
import { maxRefundPct } from "./rules/max-refund-pct";
import { operatorDailyApprovedTotal } from "./rules/operator-daily-approved-total";
import { paused } from "./rules/paused";
import { refundApprovals, requiredApprovals } from "./rules/refund-approvals";
import { refundWindowDays } from "./rules/refund-window-days";
import { refundableRemainder } from "./rules/refundable-remainder";
import type { Policy, PublishedRules } from "./schema";

/** What is proposed, as far as a rule cares. */
export type ProposedRefund = {
  /** A person's own proposals have a cap of their own. */
  by: "agent" | "person";
  currency: string;
  amountMinor: bigint;
  items: number;
  /** Parts that ask for more of a line or of shipping than is left of it, and targets named twice. */
  overdrawn: readonly Violation[];
};

/** What the agent staged on this day of the merchant's, whatever became of it, and how many of its changes wait. */
export type Velocity = { changes: number; refundMinor: bigint; pending: number };

/** The live figures a refund is judged on. */
export type RefundFacts = {
  now: Date;
  paused: boolean;
  paidAt: Date;
  capturedMinor: bigint;
  /** Captured − refunded − disputed − held by other changes. May be negative. */
  remainingMinor: bigint;
  /** Refunded or held of the payment by other changes. */
  takenMinor: bigint;
  /** The order's refunds of the last 30 days: applied, held, staged earlier, and this one. */
  orderTotalMinor: bigint;
  /** Judged where an agent stages; null elsewhere. */
  velocity: Velocity | null;
  /** How many members may approve it: judged where it is staged; null elsewhere. */
  eligible: number | null;
  /** What the person who is about to approve has put forward today: judged at an approval; null elsewhere. */
  approvedTodayMinor: bigint | null;
};

/** A rule's finding; null where the rule has nothing to say. `path` names the input that broke it. */
export type Finding = (RuleResult & { path: string }) | null;
export type Rule = (rules: PublishedRules, change: ProposedRefund, facts: RefundFacts) => Finding;

const RULES: readonly Rule[] = [
  paused, maxItemsPerChange, maxRefundAmount, maxRefundPct, refundableRemainder, refundWindowDays, agentDailyRefundTotal, agentDailyChanges, maxPendingPerAgent,
  operatorDailyApprovedTotal, refundApprovals, eligibleApprovers,
];

/** Judges a refund by a policy on the facts: pure, the same at staging, on screen and at apply. */
export function evaluate(policy: Policy, change: ProposedRefund, facts: RefundFacts): { verdict: Verdict; violations: Violation[] } {
  const all = RULES.map((rule) => rule(policy.rules, change, facts)).filter((finding) => finding !== null);
  const findings = all.filter(({ rule }, index) => all.findIndex((other) => other.rule === rule) === index); // a currency without caps is told once
  const broken = findings.filter((finding) => !finding.ok).map(({ rule, path, cap, actual }) => ({ rule, path, cap, actual }));
  const violations = [...broken, ...change.overdrawn];
  const required = requiredApprovals(policy.rules, change.currency, facts.orderTotalMinor);
  const outcome = violations.length > 0 ? "refuse" : "needs_approvals";
  const rules = findings.map(({ rule, cap, actual, ok }) => ({ rule, cap, actual, ok }));
  const overdrawn = change.overdrawn.map(({ rule, cap, actual }) => ({ rule, cap, actual, ok: false }));
  return { verdict: { outcome, required, policy: policy.version, rules: [...rules, ...overdrawn] }, violations };
}
