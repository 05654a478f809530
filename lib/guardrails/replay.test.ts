import { expect, test } from "vitest";
import { evaluate } from "./evaluate";
import type { ProposedRefund, RefundFacts } from "./rule";
import { replay, type Past } from "./replay";
import { DEFAULT_RULES, type PublishedRules } from "./schema";

// A draft judges what was judged before: from the stored verdict alone, and as it would have been judged then.

const DAY = 86_400_000;
const FACTS: RefundFacts = {
  now: new Date(90 * DAY), paused: false, paidAt: new Date(60 * DAY), capturedMinor: 100_000n, remainingMinor: 80_000n, takenMinor: 20_000n, orderTotalMinor: 9000n,
  velocity: { changes: 40, refundMinor: 120_000n, pending: 4 }, eligible: 2, approvedTodayMinor: null,
};
const PROPOSED: ProposedRefund = { by: "agent", currency: "GBP", amountMinor: 5000n, items: 3, overdrawn: [] };

type Case = { proposed?: Partial<ProposedRefund>; facts?: Partial<RefundFacts>; rules?: Partial<PublishedRules> };
/** What the verdict of that time kept of a proposal. */
function past({ proposed = {}, facts = {}, rules = {} }: Case = {}): Past {
  const change = { ...PROPOSED, ...proposed };
  const { verdict } = evaluate({ version: 1, rules: { ...DEFAULT_RULES, ...rules } }, change, { ...FACTS, ...facts });
  return { by: change.by, currency: change.currency, amountMinor: change.amountMinor, capturedMinor: { ...FACTS, ...facts }.capturedMinor, verdict };
}
const tried = (draft: Partial<PublishedRules>, of: Case = {}) => replay({ ...DEFAULT_RULES, ...draft }, past(of));
const outcome = (draft: Partial<PublishedRules>, of?: Case) => tried(draft, of).outcome;

test("each cap of a draft on both sides of its edge", () => {
  expect(outcome({})).toBe("same");
  const edges: [string, (cap: number) => Partial<PublishedRules>, number, Case?][] = [
    ["max_refund_amount", (cap) => ({ max_refund_amount: { GBP: String(cap) } }), 5000],
    ["max_operator_refund_amount", (cap) => ({ max_operator_refund_amount: { GBP: String(cap) } }), 5000, { proposed: { by: "person" } }],
    ["max_items_per_change", (cap) => ({ max_items_per_change: cap }), 3],
    ["refund_window_days", (cap) => ({ refund_window_days: cap }), 30],
    ["max_refund_pct", (cap) => ({ max_refund_pct: cap }), 25], // 200 were taken of 1,000, and 50 are asked
    ["max_refund_pct", (cap) => ({ max_refund_pct: cap }), 25, { rules: { max_refund_pct: 90 } }],
    ["agent_daily_refund_total", (cap) => ({ agent_daily_refund_total: { GBP: String(cap) } }), 125_000],
    ["agent_daily_changes", (cap) => ({ agent_daily_changes: cap }), 41],
    ["max_pending_per_agent", (cap) => ({ max_pending_per_agent: cap }), 5],
  ];
  for (const [rule, draft, edge, of] of edges) {
    expect([rule, outcome(draft(edge), of)]).toEqual([rule, "same"]);
    expect([rule, tried(draft(edge - 1), of)]).toMatchObject([rule, { outcome: "refused", was: 1, now: null, broken: { rule, cap: rule === "max_refund_pct" ? "24000" : String(edge - 1) } }]);
  }
});

test("more or fewer approvals by the order's refunds of 30 days, and refused where too few could give them", () => {
  const steps = (end: string, ...approvals: number[]) => ({ refund_approvals: [{ approvals: approvals[0]!, up_to: { GBP: end } }, { approvals: approvals[1]! }] });
  expect(tried(steps("9000", 1, 2))).toMatchObject({ outcome: "same", was: 1, now: 1 });
  expect(tried(steps("8999", 1, 2))).toMatchObject({ outcome: "more", was: 1, now: 2 });
  expect(tried(steps("8999", 1, 3))).toMatchObject({ outcome: "refused", broken: { rule: "eligible_approvers", cap: "2", actual: "3" } });
  expect(tried(steps("20000", 1, 2), { facts: { orderTotalMinor: 10_001n } })).toMatchObject({ outcome: "fewer", was: 2, now: 1 });
});

test("what was refused is let through by the minor unit; what no cap mends is not", () => {
  const refused: Case = { rules: { max_refund_amount: { GBP: "4999" } } };
  expect(tried({ max_refund_amount: { GBP: "5000" } }, refused)).toMatchObject({ outcome: "let_through", was: null, now: 1, broken: null });
  expect(outcome({ max_refund_amount: { GBP: "4999" } }, refused)).toBe("same");
  expect(outcome({}, { ...refused, proposed: { overdrawn: [{ rule: "refundable_remainder", path: "/lines/0", cap: "1", actual: "2" }] } })).toBe("same");
  expect(outcome({}, { ...refused, facts: { remainingMinor: 4999n } })).toBe("same");
  expect(outcome({}, { ...refused, facts: { paused: true } })).toBe("same");
});

test("a currency that had no cap is let through by a draft that gives it one", () => {
  const yen: Case = { proposed: { currency: "JPY", amountMinor: 5800n }, facts: { eligible: 5 } };
  expect(outcome({}, yen)).toBe("same");
  expect(tried({ max_refund_amount: { JPY: "5800" }, agent_daily_refund_total: { JPY: "5800" }, refund_approvals: [{ approvals: 1 }] }, yen)).toMatchObject({ outcome: "let_through", unjudged: ["agent_daily_refund_total"] });
  expect(outcome({ max_refund_amount: { JPY: "5799" } }, yen)).toBe("same");
});

test("a rule that came later is left out and named, never guessed", () => {
  const { agent_daily_changes: _changes, agent_daily_refund_total: _total, max_pending_per_agent: _pending, ...old } = DEFAULT_RULES;
  const verdict = evaluate({ version: 1, rules: old }, PROPOSED, FACTS).verdict;
  const before: Past = { ...past(), verdict };
  expect(replay({ ...DEFAULT_RULES, agent_daily_changes: 0 }, before)).toMatchObject({ outcome: "same", unjudged: ["agent_daily_refund_total", "agent_daily_changes", "max_pending_per_agent"] });
  expect(replay(old, before).unjudged).toEqual([]);
  expect(tried({ agent_daily_changes: 0 }, { proposed: { by: "person" }, facts: { velocity: null } })).toMatchObject({ outcome: "same", unjudged: [] });
});
