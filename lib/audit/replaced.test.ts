import { expect, test } from "vitest";
import { agent, AUDITOR, ChangeStory, LOG, ONE, OPENING, OWNER, person, seal, TWO, type Draft } from "../testing/log-builder";
import { LogCheck } from "./log-check";
import { sha256 } from "./sha256";

// What takes another change's place, and what an approver lowered.

/** Findings of a log that goes on like this from entry 8. */
function found(...drafts: Draft[]): string[] {
  const kinds: string[] = [];
  const check = new LogCheck(LOG, sha256, (kind, place) => kinds.push(`${kind} @ ${place}`));
  for (const bytes of seal([...OPENING, ...drafts])) check.push(bytes);
  check.end();
  return kinds;
}
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
