import { expect, test } from "vitest";
import { evaluate } from "./evaluate";
import type { ProposedRefund, RefundFacts, Velocity } from "./rule";
import { DEFAULT_RULES, type PolicyRules } from "./schema";

// Each rule on both sides of its edge.

const DAY = 24 * 60 * 60 * 1000;
const now = new Date("2026-11-30T12:00:00Z");
const change: ProposedRefund = { by: "agent", currency: "GBP", amountMinor: 1000n, items: 1, overdrawn: [] };
const facts: RefundFacts = { now, paused: false, paidAt: new Date(now.getTime() - DAY), capturedMinor: 100_000n, takenMinor: 0n, remainingMinor: 100_000n, orderTotalMinor: 1000n, velocity: null, eligible: null, approvedTodayMinor: null };
const idle: Velocity = { changes: 0, refundMinor: 0n, pending: 0 };
const judge = (with_: Partial<ProposedRefund & RefundFacts>, rules: Partial<PolicyRules> = {}) => evaluate({ version: 3, rules: { ...DEFAULT_RULES, ...rules } }, { ...change, ...with_ }, { ...facts, ...with_ });
const broken = (...args: Parameters<typeof judge>) => judge(...args).violations.map(({ rule }) => rule);

test("within every cap a refund needs approvals; every rule is told with cap and actual, and the version that judged", () => {
  const { verdict, violations } = judge({});
  expect(violations).toEqual([]);
  expect(verdict).toEqual({
    outcome: "needs_approvals", required: 1, policy: 3,
    rules: [
      { rule: "max_items_per_change", cap: "25", actual: "1", ok: true }, { rule: "max_refund_amount", cap: "50000", actual: "1000", ok: true },
      { rule: "refundable_remainder", cap: "100000", actual: "1000", ok: true }, { rule: "refund_window_days", cap: "90", actual: "1", ok: true },
      { rule: "refund_approvals", cap: "10000", actual: "1000", ok: true },
    ],
  });
});

test.each([
  ["max_items_per_change", { items: 25 }, { items: 26 }],
  ["max_refund_amount", { amountMinor: 50_000n }, { amountMinor: 50_001n }],
  ["refundable_remainder", { amountMinor: 1000n, remainingMinor: 1000n }, { amountMinor: 1000n, remainingMinor: 999n }],
  ["refund_window_days", { paidAt: new Date(now.getTime() - 91 * DAY + 1) }, { paidAt: new Date(now.getTime() - 91 * DAY) }],
  ["paused", { paused: false }, { paused: true }],
  ["max_operator_refund_amount", { by: "person", amountMinor: 100_000n }, { by: "person", amountMinor: 100_001n, remainingMinor: 200_000n, capturedMinor: 200_000n }],
  ["agent_daily_refund_total", { velocity: { ...idle, refundMinor: 1_999_000n } }, { velocity: { ...idle, refundMinor: 1_999_001n } }],
  ["agent_daily_changes", { velocity: { ...idle, changes: 999 } }, { velocity: { ...idle, changes: 1000 } }],
  ["max_pending_per_agent", { velocity: { ...idle, pending: 499 } }, { velocity: { ...idle, pending: 500 } }],
  ["operator_daily_approved_total", { approvedTodayMinor: 2_499_000n }, { approvedTodayMinor: 2_499_001n }],
  ["eligible_approvers", { eligible: 2, orderTotalMinor: 10_001n }, { eligible: 1, orderTotalMinor: 10_001n }],
] as const)("%s", (rule, within, beyond) => {
  expect(broken(within)).toEqual([]);
  expect(broken(beyond)).toEqual([rule]);
  expect(judge(beyond).verdict.outcome).toBe("refuse");
});

test("a currency without a cap is refused, once: no cap is not an endless one", () => {
  expect(broken({ currency: "JPY", velocity: idle, approvedTodayMinor: 0n })).toEqual(["no_cap_for_currency"]);
  expect(broken({ velocity: idle }, { agent_daily_refund_total: { EUR: "1" } })).toEqual(["no_cap_for_currency"]);
});

test("a percentage is counted in whole minor units: a part of one is not granted", () => {
  const half = (amountMinor: bigint, takenMinor: bigint) => broken({ amountMinor, takenMinor, capturedMinor: 1001n }, { max_refund_pct: 50 });
  expect([half(500n, 0n), half(501n, 0n), half(1n, 499n), half(1n, 500n)]).toEqual([[], ["max_refund_pct"], [], ["max_refund_pct"]]);
});

test("a version from before a rule was named is not judged by it", () => {
  const { max_operator_refund_amount, agent_daily_refund_total, agent_daily_changes, max_pending_per_agent, operator_daily_approved_total, ...rules } = DEFAULT_RULES;
  const { violations } = evaluate({ version: 1, rules }, { ...change, by: "person", amountMinor: 90_000n }, { ...facts, capturedMinor: 1n, velocity: { changes: 9999, refundMinor: 9_999_999n, pending: 9999 }, approvedTodayMinor: 9_999_999n });
  expect(violations).toEqual([]);
});

test("a disputed payment leaves nothing, never less than nothing", () => {
  expect(judge({ remainingMinor: -5n }).violations).toEqual([{ rule: "refundable_remainder", path: "/amount", cap: "0", actual: "1000" }]);
});

test("the second signature begins one penny above the tier, on the order's refunds of 30 days", () => {
  const required = (orderTotalMinor: bigint, rules: Partial<PolicyRules> = {}) => judge({ orderTotalMinor }, rules).verdict.required;
  expect([required(10_000n), required(10_001n)]).toEqual([1, 2]);
  const three = { refund_approvals: [{ approvals: 1, up_to: { GBP: "100" } }, { approvals: 2, up_to: { GBP: "200" } }] };
  expect([required(100n, three), required(101n, three), required(200n, three), required(201n, three)]).toEqual([1, 2, 2, 3]);
});

test("every violation is told, not only the first", () => {
  const overdrawn = [{ rule: "refundable_remainder", path: "/lines/0/quantity", cap: "1", actual: "2" }];
  expect(broken({ items: 26, amountMinor: 50_001n, remainingMinor: 0n, overdrawn })).toEqual(["max_items_per_change", "max_refund_amount", "refundable_remainder", "refundable_remainder"]);
});
