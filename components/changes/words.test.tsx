import { expect, test } from "vitest";
import { blockedWords, failureWords, refusedWords } from "./words";
import { aChange, refused } from "./testing";

const failed = (failure: { cause: string; rule?: string; cap?: string; actual?: string }) =>
  failureWords(aChange({ failure: { at: "2026-11-30T14:07:06Z", rule: null, cap: null, actual: null, ...failure } }));

test("who may not sign is told why, and who can where another can", () => {
  expect(blockedWords("self_approval", ["Maya Lindqvist", "Priya Nair"], ["made_key"])).toBe("You made the agent’s key, so you may not approve this. Maya Lindqvist or Priya Nair can.");
  expect(blockedWords("self_approval", [], ["proposed"])).toBe("You proposed it, so you may not approve this.");
  expect(blockedWords("self_approval", [], ["proposed", "owns_key", "made_key"])).toBe("You proposed it and own and made the agent’s key, so you may not approve this.");
  expect(blockedWords("self_approval", [])).toBe("You may not approve this.");
  expect(blockedWords("exceeds_refundable", ["Maya Lindqvist"])).toBe("This asks for more than remains of the payment, or of one of its lines, so it cannot be signed.");
});

test("a failure names its cause and what did not happen", () => {
  expect(failed({ cause: "guardrail_violation", rule: "refund_window_days", cap: "90", actual: "91" })).toBe("A guardrail refuses it today. Days since payment: 91 of 90. No money moved. The hold of £45.00 is released.");
  const inPart = aChange({ failure: { at: "2026-11-30T14:07:06Z", cause: "platform_refused", rule: "not_refundable", cap: null, actual: null }, paidMinor: "1500" });
  expect(failureWords(inPart)).toBe("The platform refused it: not refundable. £15.00 of £45.00 went out before. The hold of £30.00 is released.");
  expect(failed({ cause: "guardrail_violation", rule: "paused", cap: "0", actual: "1" })).toMatch(/^The merchant was paused\. No money moved/);
  expect(failed({ cause: "quorum_not_met", rule: "refund_approvals", cap: "2", actual: "1" })).toMatch(/^Today’s rules ask for 2 signatures, and it has 1\./);
  expect(failed({ cause: "lost_answer" })).toMatch(/^Cause: lost answer\./);
});

test("a refusal says old and new, and its consequence", () => {
  expect(refusedWords(refused())).toEqual({ why: "The figures moved while you were looking at them.", figures: "Remaining was £100.00, is now £40.00.", consequence: "No money moved." });
  expect(refusedWords(refused({ code: "change_already_approved", message: "Already approved", moved: [] }))).toEqual({ why: "Already approved.", figures: "", consequence: "Nothing changed." });
});
