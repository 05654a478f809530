import { expect, test } from "vitest";
import type { RuleResult } from "@/lib/kernel/verdict";
import { railsOf } from "./rails";

const judged = (rules: RuleResult[], have = 0, required = 1) => railsOf({ currency: "GBP", have, required, verdict: { outcome: "needs_approvals", required, policy: 3, rules } });
const rule = (name: string, actual: string, cap: string, ok = true): RuleResult => ({ rule: name, actual, cap, ok });

test("money and counts are said in their own units, actual of cap", () => {
  expect(judged([rule("max_refund_amount", "12060", "50000")])[0]).toMatchObject({ words: "Refund amount", actual: "£120.60", cap: "£500.00", percent: 24, standing: "within", tag: null });
  expect(judged([rule("max_items_per_change", "5", "25")])[0]).toMatchObject({ words: "Lines in one change", actual: "5", cap: "25", percent: 20 });
  expect(judged([rule("refund_window_days", "17", "90")])[0]).toMatchObject({ words: "Days since payment", percent: 18 });
});

test("from 80 % it is close, over the cap the excess is said", () => {
  expect(judged([rule("refundable_remainder", "8000", "10000")])[0]).toMatchObject({ standing: "close", tag: "close" });
  expect(judged([rule("max_refund_amount", "70706", "50000", false)])[0]).toMatchObject({ standing: "over", tag: "£207.06 over", percent: 100, notch: 70.7 });
  expect(judged([rule("refundable_remainder", "6000", "0", false)])[0]).toMatchObject({ tag: "£60.00 over", notch: 0 });
});

test("signatures are counted in persons, with the order's refunds of 30 days", () => {
  expect(judged([rule("refund_approvals", "15965", "10000")], 1, 2)[0]).toMatchObject({ words: "Signatures, £159.65 in 30 days", actual: "1", cap: "2", tag: "1 more", standing: "more" });
  expect(judged([rule("refund_approvals", "900", "10000")], 1, 1)[0]).toMatchObject({ standing: "within", tag: null });
});

test("what is broken stands first, then what is closest", () => {
  const order = judged([rule("max_items_per_change", "5", "25"), rule("max_refund_amount", "45000", "50000"), rule("paused", "1", "0", false), rule("refund_approvals", "45000", "10000")], 0, 2);
  expect(order.map((rail) => rail.rule)).toEqual(["paused", "max_refund_amount", "refund_approvals", "max_items_per_change"]);
});

test("amounts beyond a float's reach stay exact", () => {
  expect(judged([rule("refundable_remainder", "9007199254740993", "9007199254740993")])[0]).toMatchObject({ actual: "£90,071,992,547,409.93", percent: 100 });
});

test("rules that were added later have words of their own, money as money", () => {
  const rails = judged([
    rule("agent_daily_refund_total", "120435", "2000000"), rule("agent_daily_changes", "41", "1000"), rule("max_pending_per_agent", "3", "500"), rule("operator_daily_approved_total", "2141280", "2500000"),
    rule("max_operator_refund_amount", "100", "100000"), rule("max_refund_pct", "5001", "5000", false),
  ]);
  expect(rails.map(({ words, actual, cap }) => `${words}: ${actual} of ${cap}`)).toEqual([
    "Refunded of what was paid: £50.01 of £50.00", "Your approvals today: £21,412.80 of £25,000.00", "Agent’s refunds that day: £1,204.35 of £20,000.00", "Agent’s changes that day: 41 of 1,000",
    "Agent’s changes waiting: 3 of 500", "Refund amount, asked by a person: £1.00 of £1,000.00",
  ]);
  expect(rails[0]).toMatchObject({ tag: "£0.01 over" });
});

test("that all who may sign must sign is no breach; one too few is", () => {
  expect(judged([rule("eligible_approvers", "2", "2")])[0]).toMatchObject({ words: "Signatures needed, of people who may sign", actual: "2", cap: "2", standing: "within", tag: null });
  expect(judged([rule("eligible_approvers", "2", "1", false)])[0]).toMatchObject({ standing: "over", tag: "1 too few", notch: 50 });
});
