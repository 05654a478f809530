import { expect, test } from "vitest";
import { agent, AUDITOR, ChangeStory, findingsAfter as found, ONE, OWNER, person, TWO, type Draft } from "../testing/log-builder";

// What takes another change's place, and what an approver lowered.

const OLD = "chg-Change0000";
const NEW = "chg-Change0001";
const PERSON = { agent: undefined, key: undefined, session: undefined };
const old = (staging = {}, stager?: Draft["actor"]) => new ChangeStory(OLD, staging, stager);
const lowered = (staging = {}, stager?: Draft["actor"]) => new ChangeStory(NEW, { supersedes: OLD, by: ONE, total: "1000", ...staging }, stager);
/** The old one staged, and made room for by ONE; what follows is from entry 10 on. */
const room = (story = old()): Draft[] => [story.staged(), story.step("withdrawn", person(ONE))];

test("who lowers a change may approve what is left, once or as one of two", () => {
  const one = lowered();
  expect(found(...room(), one.staged(), one.approved(ONE))).toEqual([]);
  const two = lowered({ required: 2 });
  expect(found(...room(old({ required: 2 })), two.staged(), two.endorsed(ONE), two.approved(TWO, 2, 2))).toEqual([]);
});

test("self_approval: any other edit makes its maker the stager", () => {
  for (const edit of [{ total: "1250" }, { total: "1251" }, { payment: "pay-Payment002", total: "1000" }]) {
    const it = lowered(edit);
    expect(found(...room(), it.staged(), it.approved(ONE))).toEqual(["self_approval @ entry 11", "quorum_not_met @ entry 11"]);
  }
  const alone = lowered({ supersedes: undefined });
  expect(found(alone.staged(), alone.approved(ONE))).toEqual(["self_approval @ entry 9", "quorum_not_met @ entry 9"]);
  const another = lowered({ ...PERSON, excludes: [TWO] }, person(TWO));
  expect(found(...room(), another.staged(), another.approved(ONE))).toEqual(["self_approval @ entry 11", "quorum_not_met @ entry 11"]);
});

test("self_approval: not where something lies between, and not by the stager of what was lowered", () => {
  const [first, it, between] = [old(), lowered(), new ChangeStory("chg-Change0002")];
  expect(found(first.staged(), between.staged(), first.step("withdrawn", person(ONE)), between.step("withdrawn", agent), it.staged(), it.approved(ONE)))
    .toEqual(["self_approval @ entry 13", "quorum_not_met @ entry 13"]);
  const own = old({ ...PERSON, excludes: [TWO] }, person(TWO));
  const left = lowered({ ...PERSON, excludes: [] }, person(TWO));
  expect(found(...room(own), left.staged(), left.approved(TWO))).toEqual(["self_approval @ entry 11", "quorum_not_met @ entry 11"]);
});

test("quorum_not_met: signatures on the old one do not count for what took its place", () => {
  const [first, it] = [old({ required: 2 }), lowered({ required: 2 })];
  expect(found(first.staged(), first.endorsed(TWO), first.step("withdrawn", person(ONE)), it.staged(), it.approved(ONE, 2, 2))).toEqual(["quorum_not_met @ entry 12"]);
});

test("not_a_member: who lowers is asked, not who staged first and may have left", () => {
  const [left, it] = [old({ ...PERSON, excludes: [TWO] }, person(TWO)), lowered({ ...PERSON, excludes: [TWO] }, person(TWO))];
  const gone: Draft = { type: "member.removed", actor: person(OWNER), subject: "mem-Two0000001", data: { person: TWO, role: "operator" } };
  expect(found(left.staged(), gone, left.step("withdrawn", person(ONE)), it.staged(), it.approved(ONE))).toEqual([]);
  for (const by of [AUDITOR, "per-Stranger01"]) {
    const trimmed = lowered({ by });
    expect(found(...room(), trimmed.staged(), trimmed.approved(ONE))).toEqual(["not_a_member @ entry 10"]);
  }
});

test("over_refunded: what was lowered counts as what is left, and the old one no more", () => {
  const [big, rest] = [old({ total: "9000" }), new ChangeStory("chg-Change0002", { total: "4000" })];
  const it = lowered({ total: "6000" });
  expect(found(...room(big), it.staged(), it.approved(ONE), rest.staged(), rest.approved(TWO))).toEqual([]);
  const [over, more, all] = [old({ total: "9000" }), lowered({ total: "6001" }), new ChangeStory("chg-Change0002", { total: "4000" })];
  expect(found(...room(over), more.staged(), more.approved(ONE), all.staged(), all.approved(TWO))).toEqual(["over_refunded @ entry 13"]);
});

test("illegal_transition: nothing takes the place of what was never staged, or of what is approved or paid", () => {
  expect(found(lowered().staged())).toEqual(["illegal_transition @ entry 8"]);
  const [signed, it] = [old(), lowered()];
  expect(found(signed.staged(), signed.approved(TWO), it.staged())).toEqual(["illegal_transition @ entry 10"]);
  const [paid, late] = [old(), lowered()];
  expect(found(paid.staged(), paid.approved(TWO), paid.applying(TWO), paid.applied(TWO), late.staged())).toEqual(["illegal_transition @ entry 12"]);
});

test("illegal_transition: one place is taken once", () => {
  const [first, one, two] = [old(), lowered(), new ChangeStory("chg-Change0002", { supersedes: OLD, by: ONE, total: "1000" })];
  expect(found(...room(first), one.staged(), one.approved(ONE), two.staged())).toEqual(["illegal_transition @ entry 12"]);
  // What was rejected may be proposed again, and again.
  const [no, again, more] = [old(), new ChangeStory(NEW, { supersedes: OLD }), new ChangeStory("chg-Change0002", { supersedes: OLD })];
  expect(found(no.staged(), no.rejected(ONE), again.staged(), again.rejected(ONE), more.staged())).toEqual([]);
});

test("illegal_transition: what another took the place of is not approved or tried again", () => {
  const [first, it] = [old(), new ChangeStory(NEW, { supersedes: OLD })];
  expect(found(first.staged(), it.staged(), first.rejected(ONE), it.approved(ONE))).toEqual([]);
  const [late, next] = [old(), new ChangeStory(NEW, { supersedes: OLD })];
  expect(found(late.staged(), next.staged(), next.approved(ONE), late.approved(ONE))).toEqual(["illegal_transition @ entry 11"]);
  const [failed, then] = [old(), new ChangeStory(NEW, { supersedes: OLD })];
  expect(found(failed.staged(), failed.approved(ONE), failed.failed(ONE), then.staged(), failed.applying(ONE))).toEqual(["illegal_transition @ entry 12"]);
});
