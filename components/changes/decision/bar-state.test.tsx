import { expect, test } from "vitest";
import { aChange, done, refused } from "../testing";
import { barState, type Pending } from "./bar-state";

const viewer = aChange().viewer;
const answered = (answer: Extract<Pending, { phase: "answered" }>["answer"]): Pending => ({ phase: "answered", deed: "approve", answer, sentAt: Date.now() });
const moved = [{ label: "Remaining", was: "£100.00", now: "£40.00" }];

test("an open change waits for the viewer's name", () => {
  expect(barState(aChange(), [], undefined)).toEqual({ kind: "open" });
});

test("from the press to the answer nothing is signed", () => {
  expect(barState(aChange(), [], { phase: "sent", deed: "approve" })).toEqual({ kind: "signing", deed: "approve" });
  expect(barState(aChange(), [], { phase: "lost", deed: "approve" })).toEqual({ kind: "lost", deed: "approve" });
});

test("the answer counts down at once, before the change is read again", () => {
  const answer = done();
  expect(barState(aChange(), [], answered(answer))).toMatchObject({ kind: "counting", mine: true, effect: { effectiveAt: answer.effectiveAt } });
  expect(barState(aChange(), [], answered(done({ effectiveAt: null })))).toEqual({ kind: "decided" });
});

test("another's approval counts down without a way to take it back", () => {
  const effectiveAt = "2026-11-30T14:07:06.000Z";
  expect(barState(aChange({ state: "approved", undo: { effectiveAt, mine: false } }), [], undefined)).toEqual({ kind: "counting", effect: { effectiveAt }, mine: false });
});

test("one of two signatures leaves the line to another", () => {
  const change = aChange({ required: 2, viewer: { ...viewer, whoCan: ["Maya Lindqvist"] } });
  expect(barState(change, [], answered(done({ verb: "endorse", effectiveAt: null })))).toEqual({ kind: "blocked", code: "already_endorsed", whoCan: ["Maya Lindqvist"], mayReject: false });
});

test("a refusal stays until the reader looks again, and figures that moved cannot be signed", () => {
  const answer = refused();
  expect(barState(aChange(), moved, answered(answer))).toEqual({ kind: "refused", deed: "approve", answer });
  expect(barState(aChange(), moved, undefined)).toEqual({ kind: "moved", moved });
});

test("who may not approve may reject; who only reads may do neither", () => {
  const blocked = aChange({ viewer: { ...viewer, blocker: "self_approval", whoCan: ["Maya Lindqvist"] } });
  expect(barState(blocked, [], undefined)).toEqual({ kind: "blocked", code: "self_approval", whoCan: ["Maya Lindqvist"], mayReject: true });
  const auditor = aChange({ viewer: { ...viewer, mayDecide: false } });
  expect(barState(auditor, moved, undefined)).toEqual({ kind: "blocked", code: "forbidden", whoCan: [], mayReject: false });
  expect(barState(aChange({ state: "failed", viewer: { ...viewer, mayDecide: false } }), [], undefined)).toEqual({ kind: "failed", mayAct: false });
});

test("what has ended asks for nothing", () => {
  for (const state of ["applying", "applied", "rejected", "withdrawn", "expired"] as const) expect(barState(aChange({ state }), [], undefined)).toEqual({ kind: "decided" });
});

test("while the merchant is paused no lower figure is asked for: the switch is what stands in the way", () => {
  const rules = (rule: string) => [{ rule, cap: "0", actual: "1", ok: false }];
  const blocked = (rule: string) => barState(aChange({ verdict: { outcome: "refuse", required: 1, policy: 1, rules: rules(rule) }, viewer: { ...aChange().viewer, blocker: "guardrail_violation" } }), [], undefined);
  expect(blocked("paused")).toMatchObject({ kind: "blocked", paused: true });
  expect(blocked("paused")).not.toHaveProperty("mayTrim");
  expect(blocked("max_refund_amount")).toMatchObject({ kind: "blocked", mayTrim: true });
});
