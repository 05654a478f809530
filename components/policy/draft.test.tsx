import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_RULES, PolicyRules, type PublishedRules } from "@/lib/guardrails/schema";
import { diffOf } from "./diff";
import { candidateOf, draftOf, readDraft, readRules, refusesEverything, rollBackTo } from "./draft";

const draft = () => structuredClone(draftOf(DEFAULT_RULES));
const typed = (rule: "max_refund_amount", currency: string, text: string) => {
  const edited = draft();
  edited.money[rule]![currency] = text;
  return readDraft(edited);
};

test("every policy that the schema allows comes out of the form as it went in", () => {
  const caps = fc.dictionary(fc.constantFrom("GBP", "EUR", "JPY", "KWD", "XTS"), fc.bigInt(0n, 9_999_999_999_999_999n).map(String));
  const tiers = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.option(caps, { nil: undefined })), { minLength: 1, maxLength: 4 })
    .map((all) => all.map(([approvals, up_to]) => ({ approvals, ...(up_to && { up_to }) })));
  const count = fc.integer({ min: 1, max: 99 });
  const rules = fc.record({
    max_items_per_change: count, max_refund_amount: caps, max_operator_refund_amount: caps, refund_window_days: count, refund_approvals: tiers, agent_daily_refund_total: caps, agent_daily_changes: count,
    max_pending_per_agent: count, operator_daily_approved_total: caps, expires_after_hours: count, undo_seconds: count, max_refund_pct: count,
  }, { requiredKeys: ["max_items_per_change", "max_refund_amount", "max_operator_refund_amount", "refund_window_days", "refund_approvals", "agent_daily_refund_total", "agent_daily_changes", "max_pending_per_agent", "operator_daily_approved_total", "expires_after_hours", "undo_seconds"] });
  fc.assert(fc.property(rules, (policy) => { expect(candidateOf(draftOf(policy))).toEqual(policy); }), { numRuns: 200 });
  expect(readDraft(draft())).toEqual({ rules: DEFAULT_RULES, errors: {} });
});

test("amounts are exact in each currency's own digits, and what is no amount is told where it stands", () => {
  expect(typed("max_refund_amount", "GBP", "1,000.50").rules?.max_refund_amount.GBP).toBe("100050");
  expect(typed("max_refund_amount", "JPY", "5800").rules?.max_refund_amount.JPY).toBe("5800");
  expect(typed("max_refund_amount", "KWD", "1.255").rules?.max_refund_amount.KWD).toBe("1255");
  for (const [currency, text] of [["KWD", "1.2555"], ["JPY", "100.5"], ["GBP", "1,5"], ["GBP", "-1"], ["GBP", "£5"], ["GBP", "99999999999999999.00"]] as const) {
    expect([text, typed("max_refund_amount", currency, text)]).toMatchObject([text, { rules: null, errors: { [`max_refund_amount.${currency}`]: "no amount of this currency" } }]);
  }
  expect(typed("max_refund_amount", "GBP", " ").rules?.max_refund_amount).toEqual({ EUR: "50000", USD: "50000" });
});

test("numbers and tiers are told by their own field", () => {
  const edited = draft();
  edited.numbers = { ...edited.numbers, max_items_per_change: "0", refund_window_days: "3651", undo_seconds: "8.5", expires_after_hours: "", max_refund_pct: "100" };
  edited.tiers = [{ approvals: "2", upTo: null }, { approvals: "2", upTo: { GBP: "1" } }];
  expect(readDraft(edited).errors).toEqual({
    max_items_per_change: "at least 1", refund_window_days: "at most 3650", undo_seconds: "a whole number", expires_after_hours: "not set yet", max_refund_pct: "at most 99",
    "refund_approvals.0.up_to": "only the last tier has no end", "refund_approvals.1.approvals": "more approvals than the tier before",
  });
  expect(readRules({ ...DEFAULT_RULES, max_joy: 3 }).errors).toEqual({ max_joy: "no rule of ours" });
});

const OLD: PublishedRules = {
  max_items_per_change: 10, max_refund_amount: { GBP: "20000" }, refund_window_days: 30, refund_approvals: [{ approvals: 1 }], expires_after_hours: 24, undo_seconds: 0,
};

test("a version that is older than a rule leaves it not set, and going back to it keeps what is in force", () => {
  expect(readDraft(draftOf(OLD)).errors).toMatchObject({ agent_daily_changes: "not set yet", agent_daily_refund_total: "not set yet" });
  const { draft: back, kept } = rollBackTo(OLD, { ...DEFAULT_RULES, max_refund_pct: 50 });
  expect(kept.toSorted()).toEqual(["agent_daily_changes", "agent_daily_refund_total", "max_operator_refund_amount", "max_pending_per_agent", "operator_daily_approved_total"]);
  expect(readDraft(back).rules).toEqual(PolicyRules.parse({ ...DEFAULT_RULES, ...OLD }));
});

test("a difference is told rule by rule, in figures", () => {
  const now: PolicyRules = { ...DEFAULT_RULES, max_refund_amount: { GBP: "40000", EUR: "50000", JPY: "5800" }, max_refund_pct: 50, undo_seconds: 0, refund_approvals: [{ approvals: 1, up_to: { GBP: "5000" } }, { approvals: 2 }, ] };
  expect(diffOf(DEFAULT_RULES, now)).toEqual([
    { rule: "max_refund_amount", of: "GBP", was: "500.00", now: "400.00" }, { rule: "max_refund_amount", of: "JPY", was: null, now: "5,800" }, { rule: "max_refund_amount", of: "USD", was: "500.00", now: null },
    { rule: "max_refund_pct", of: null, was: null, now: "50" },
    { rule: "refund_approvals", of: "tier 1", was: "1 person up to EUR 100.00, GBP 100.00, USD 100.00", now: "1 person up to GBP 50.00" },
    { rule: "undo_seconds", of: null, was: "8", now: "0" },
  ]);
  expect(diffOf(DEFAULT_RULES, DEFAULT_RULES)).toEqual([]);
  expect(diffOf(OLD, DEFAULT_RULES)).toContainEqual({ rule: "agent_daily_changes", of: null, was: null, now: "1,000" });
  expect(diffOf(OLD, { ...OLD, agent_daily_refund_total: {} })).toEqual([{ rule: "agent_daily_refund_total", of: null, was: null, now: "no currency" }]);
});

test("a draft that leaves an agent nothing is known before it is tried", () => {
  expect(refusesEverything(DEFAULT_RULES)).toBe(false);
  const none: Partial<PolicyRules>[] = [{ max_refund_amount: {} }, { max_refund_amount: { GBP: "0" } }, { agent_daily_refund_total: { JPY: "1" } }, { agent_daily_changes: 0 }, { max_pending_per_agent: 0 }];
  for (const rules of none) expect(refusesEverything({ ...DEFAULT_RULES, ...rules })).toBe(true);
  expect(refusesEverything({ ...DEFAULT_RULES, max_refund_amount: { GBP: "1" } })).toBe(false);
});
