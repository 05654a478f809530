import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { DEFAULT_RULES, type Policy } from "@/lib/guardrails/schema";
import { useDraft } from "./use-draft";

const FIRST: Policy = { version: 1, rules: DEFAULT_RULES };
const SECOND: Policy = { version: 2, rules: { ...DEFAULT_RULES, undo_seconds: 0 } };
const held = () => renderHook((inForce: Policy) => useDraft(inForce), { initialProps: FIRST });

test("an untouched draft follows what is in force; an edited one is kept, compared with it, and told of it", () => {
  const { result, rerender } = held();
  rerender(SECOND);
  expect(result.current).toMatchObject({ touched: false, overtaken: false, differences: [] });
  act(() => result.current.edit((draft) => ({ ...draft, numbers: { ...draft.numbers, refund_window_days: "30" } })));
  expect(result.current).toMatchObject({ touched: true, overtaken: false, differences: [{ rule: "refund_window_days", was: "90", now: "30" }] });
  rerender({ version: 3, rules: { ...SECOND.rules, max_items_per_change: 5 } });
  expect(result.current.overtaken).toBe(true);
  expect(result.current.differences.map(({ rule, was, now }) => [rule, was, now])).toEqual([["max_items_per_change", "5", "25"], ["refund_window_days", "90", "30"]]);
  act(() => result.current.discard());
  expect(result.current).toMatchObject({ touched: false, overtaken: false, differences: [] });
});

test("JSON that is no policy yet is kept as it was typed, and the form's draft stays what it was", () => {
  const { result } = held();
  act(() => result.current.editJson("{"));
  expect(result.current).toMatchObject({ raw: "{", touched: true, read: { rules: null } });
  act(() => result.current.editJson(JSON.stringify(SECOND.rules)));
  act(() => result.current.leaveJson());
  expect(result.current).toMatchObject({ raw: null, differences: [{ rule: "undo_seconds", was: "8", now: "0" }] });
});

test("rolling back takes the older rules and names those that it lacks", () => {
  const { result } = held();
  const { agent_daily_changes: _later, ...old } = { ...DEFAULT_RULES, undo_seconds: 60 };
  act(() => result.current.rollBack(1, old));
  expect(result.current).toMatchObject({ kept: { version: 1, rules: ["agent_daily_changes"] }, differences: [{ rule: "undo_seconds", was: "8", now: "60" }] });
});
