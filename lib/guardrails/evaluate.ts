import type { Verdict, Violation } from "../kernel/verdict";
import type { ProposedRefund, RefundFacts, Rule } from "./rule";
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
import type { Policy } from "./schema";

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
