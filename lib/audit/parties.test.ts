import { describe, expect, it, test } from "vitest";
import { AUDITOR, ChangeStory, findingsAfter, ONE, OWNER, person, TWO, type Draft } from "../testing/log-builder";

// Who sets when a change is applied, who carries it out, and when.

const STRANGER = "per-Stranger01";
const removed = (who: string): Draft => ({ type: "member.removed", actor: person(OWNER), subject: "mem-One0000001", data: { person: who, role: "operator" } });
/** Findings of a change that is staged at entry 8, approved by ONE at 9, and goes on like this from entry 10. */
function found(story: (it: ChangeStory) => Draft[]): string[] {
  const change = new ChangeStory("chg-Change0000");
  return findingsAfter(change.staged(), change.approved(ONE), ...story(change));
}
const timed = (change: ChangeStory, by: string, at?: string): Draft => change.step("scheduled", person(by), { at });
/** Entry n is of 09:00:n. */
const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 30, 9, 0, seconds)).toISOString();

describe("who carries out an approval", () => {
  it("is who approved, or who set its time last", () => {
    for (const by of [ONE, TWO]) {
      expect(found((it) => [timed(it, TWO, at(11)), it.applying(by), it.applied(by)])).toEqual([]);
      expect(found((it) => [timed(it, TWO, at(11)), it.failed(by)])).toEqual([]);
    }
    expect(found((it) => [timed(it, TWO, at(11)), timed(it, ONE, at(12)), it.applying(TWO)])).toEqual(["illegal_transition @ entry 12"]);
    expect(found((it) => [it.retracted(ONE), it.approved(TWO), it.applying(ONE)])).toEqual(["illegal_transition @ entry 12"]);
  });

  it.each([["illegal_transition", TWO], ["not_a_member", STRANGER], ["not_a_member", AUDITOR], ["self_approval", OWNER]])("is %s where it is %s", (kind, by) => {
    expect(found((it) => [it.applying(by), it.applied(by)])).toEqual([`${kind} @ entry 10`]);
  });

  it("finishes what they began", () => {
    expect(found((it) => [it.applying(ONE), it.step("failed", person(TWO), { attempt: "chg-Change0000/3", cause: "dispute" })])).toEqual(["illegal_transition @ entry 11"]);
    expect(found((it) => [it.failed(TWO)])).toEqual(["illegal_transition @ entry 10"]);
  });

  it("need not be a member any more, but who tries again is one, and may approve it", () => {
    expect(found((it) => [removed(ONE), it.applying(ONE), it.applied(ONE)])).toEqual([]);
    expect(found((it) => [it.failed(ONE), it.applying(TWO), it.applied(TWO)])).toEqual([]);
    expect(found((it) => [it.failed(ONE), it.applying(OWNER), it.applied(OWNER)])).toEqual(["self_approval @ entry 11"]);
    expect(found((it) => [it.failed(ONE), it.applying(STRANGER)])).toEqual(["not_a_member @ entry 11"]);
  });
});

test("who may not approve sets no time, nor does who is no member", () => {
  expect(found((it) => [timed(it, OWNER, at(20))])).toEqual(["self_approval @ entry 10"]);
  expect(found((it) => [timed(it, OWNER)])).toEqual(["self_approval @ entry 10"]);
  expect(found((it) => [timed(it, STRANGER, at(20))])).toEqual(["not_a_member @ entry 10"]);
});

test("a time is kept: nothing before it, nothing while there is none", () => {
  expect(found((it) => [timed(it, ONE, at(12)), it.applying(ONE)])).toEqual(["illegal_transition @ entry 11"]);
  expect(found((it) => [timed(it, ONE), it.applying(ONE)])).toEqual(["illegal_transition @ entry 11"]);
  expect(found((it) => [timed(it, ONE), timed(it, ONE, at(12)), it.applying(ONE)])).toEqual([]);
  expect(found((it) => [timed(it, ONE, at(59)), it.retracted(ONE), it.approved(ONE), it.applying(ONE)])).toEqual([]);
});
