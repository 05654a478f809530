import { describe, expect, it } from "vitest";
import {
  AGENT, agent, AUDITOR, ChangeStory, KEY, LOG, MERCHANT, ONE, OPENING, OWNER, PAYMENT, person, seal, system, TWO, wholeStory, type Draft,
} from "../testing/log-builder";
import { readEntry } from "./entry";
import type { Finding } from "./finding";
import { LogCheck } from "./log-check";
import { sha256 } from "./sha256";

function findings(drafts: readonly Draft[]): Finding[] {
  const found: Finding[] = [];
  const check = new LogCheck(LOG, sha256, (kind, place, detail) => found.push({ kind, place, detail }));
  for (const bytes of seal(drafts)) check.push(bytes);
  check.end();
  return found;
}
/** Findings of a log that goes on like this from entry 8. */
const after = (...drafts: Draft[]) => findings([...OPENING, ...drafts]).map(({ kind, place, detail }) => `${kind} @ ${place}: ${detail}`);
const kinds = (...drafts: Draft[]) => findings([...OPENING, ...drafts]).map(({ kind, place }) => `${kind} @ ${place}`);
const change = (staging = {}, id = "chg-Change0000") => new ChangeStory(id, staging);
const other = (staging = {}) => change(staging, "chg-Change0001");
const governs = (type: string, subject: string, data: Draft["data"], by = OWNER): Draft => ({ type, actor: person(by), subject, data });
const key = (type: string, by: string, owner = OWNER): Draft =>
  governs(type, KEY, { agent: AGENT, owner, by, scopes: ["read"], expiresAt: "2027-11-30T00:00:00.000Z" }, by);
const admin = (person_: string): Draft => governs("member.changed", "mem-One0000001", { person: person_, role: "admin" });

describe("a log in order", () => {
  it("has no finding, whatever may happen to a change", () => {
    expect(findings(wholeStory().drafts)).toEqual([]);
  });
});

describe("illegal_transition", () => {
  it("names a step that does not leave the state the change is in", () => {
    const it = change();
    expect(after(it.staged(), it.applying(ONE))).toEqual(["illegal_transition @ entry 9: change.applying of a change that is staged"]);
    const done = change();
    expect(after(done.staged(), done.rejected(ONE), done.approved(ONE))).toEqual(["illegal_transition @ entry 10: change.approved of a change that is rejected"]);
    const twice = change();
    expect(after(twice.staged(), twice.staged())).toEqual(["illegal_transition @ entry 9: change.staged of a change that is staged"]);
    expect(after(change().rejected(ONE))).toEqual(["illegal_transition @ entry 8: change.rejected of a change that is not staged"]);
  });

  it("names one fault once, and goes on from there", () => {
    const it = change();
    expect(kinds(it.staged(), it.applying(ONE), it.applied(ONE))).toEqual(["illegal_transition @ entry 9"]);
    const lost = change();
    lost.staged();
    expect(kinds(lost.approved(ONE), lost.applying(ONE), lost.applied(ONE))).toEqual(["illegal_transition @ entry 8"]);
  });

  it("names a revision that does not follow", () => {
    const it = change();
    const staged = it.staged();
    it.approved(ONE);
    expect(after(staged, it.rejected(ONE))).toEqual(["illegal_transition @ entry 9: revision 3 follows revision 1"]);
  });

  it.each(["approved", "endorsed"] as const)("names a change %s by an agent or the system", (verb) => {
    for (const [actor, name] of [[agent, `an agent (${AGENT})`], [system("worker"), "the system (worker)"]] as const) {
      const it = change();
      expect(after(it.staged(), { ...it.approval(verb, ONE), actor })[0]).toBe(`illegal_transition @ entry 9: change.${verb} by ${name}`);
    }
  });

  it.each<[string, (it: ChangeStory) => Draft]>([
    ["a rejection by the system", (it) => ({ ...it.rejected(ONE), actor: system("worker") })],
    ["an expiry by a person", (it) => it.step("expired", person(ONE))],
    ["a withdrawal by the system", (it) => it.step("withdrawn", system("worker"))],
    ["a withdrawal by another agent", (it) => it.step("withdrawn", { ...agent, id: "agt-Agent00002" })],
  ])("names %s", (_, step) => {
    const it = change();
    expect(kinds(it.staged(), step(it))).toEqual(["illegal_transition @ entry 9"]);
  });

  it("names a retraction by one who did not approve, and an outcome of another's or another attempt", () => {
    const back = change();
    expect(kinds(back.staged(), back.approved(ONE), back.retracted(TWO))).toEqual(["illegal_transition @ entry 10"]);
    const whose = change();
    expect(kinds(whose.staged(), whose.approved(ONE), whose.applying(ONE), whose.applied(TWO))).toEqual(["illegal_transition @ entry 11"]);
    const which = change();
    expect(kinds(which.staged(), which.approved(ONE), which.applying(ONE), which.step("applied", person(ONE), { attempt: "another", references: [] })))
      .toEqual(["illegal_transition @ entry 11"]);
  });

  it("names a log that is not opened, or opened twice", () => {
    expect(findings(OPENING.slice(1)).map(({ kind, place }) => `${kind} @ ${place}`)).toEqual(["illegal_transition @ entry 0"]);
    expect(kinds(OPENING[0]!)).toEqual(["illegal_transition @ entry 8"]);
  });

  it("names a policy version that is skipped, and one that nobody published", () => {
    expect(kinds(governs("policy.published", MERCHANT, { version: 3, rules: {} }))).toEqual(["illegal_transition @ entry 8"]);
    expect(kinds(governs("policy.published", MERCHANT, { version: 2, rules: {} }), change({ policy: 2 }).staged())).toEqual([]);
    expect(kinds(change({ policy: 2 }).staged())).toEqual(["illegal_transition @ entry 8"]);
  });

  it("names what is staged or applied while the merchant is paused", () => {
    const it = change();
    const pause = governs("merchant.paused", MERCHANT, {});
    const resume = governs("merchant.resumed", MERCHANT, {});
    expect(kinds(it.staged(), it.approved(ONE), pause, it.applying(ONE), other().staged(), resume, it.applied(ONE), change({}, "chg-Change0002").staged()))
      .toEqual(["illegal_transition @ entry 11", "illegal_transition @ entry 12"]);
  });

  it("is content_mismatch where a step is about another content", () => {
    const it = change();
    expect(kinds(it.staged(), { ...it.rejected(ONE), digest: "0".repeat(64) })).toEqual(["content_mismatch @ entry 9"]);
  });
});

describe("self_approval", () => {
  const found = ["self_approval @ entry 9", "quorum_not_met @ entry 9"];

  it("names an approver who is among those that its staging excludes", () => {
    const it = change({ excludes: [OWNER, ONE].toSorted() });
    expect(kinds(it.staged(), it.approved(ONE))).toEqual(found);
  });

  it("names the stager, and whom the stager acts for, even where excludes leaves them out", () => {
    const own = new ChangeStory("chg-Change0000", { agent: undefined, key: undefined, session: undefined, excludes: [] }, person(ONE));
    expect(kinds(own.staged(), own.approved(ONE))).toEqual(found);
    const agents = change({ excludes: [] });
    expect(kinds(agents.staged(), agents.approved(OWNER))).toEqual(found);
  });

  it("names who owns, made or rotated the key before the staging, not after", () => {
    const second = "key-AgentKey02";
    const made = (type: string, by: string, owner = AUDITOR): Draft => ({ ...key(type, by, owner), subject: second });
    const story = (...before: Draft[]) => {
      const it = new ChangeStory("chg-Change0000", { key: second, excludes: [] }, { ...agent, for: AUDITOR });
      return findings([...OPENING, admin(ONE), ...before, it.staged(), it.approved(ONE)]).map(({ kind }) => kind);
    };
    expect(story(made("key.created", OWNER))).toEqual([]);
    expect(story(made("key.created", OWNER, ONE), made("key.rotated", OWNER))).toEqual(["self_approval", "quorum_not_met"]);
    expect(story(made("key.created", ONE))).toEqual(["self_approval", "quorum_not_met"]);
    expect(story(made("key.created", OWNER), made("key.rotated", ONE))).toEqual(["self_approval", "quorum_not_met"]);
    const it = change({ excludes: [] });
    expect(kinds(admin(ONE), it.staged(), key("key.rotated", ONE), it.approved(ONE))).toEqual([]);
  });

  it("names a stager of what the change supersedes, as far back as it goes", () => {
    const first = new ChangeStory("chg-Change0000", { agent: undefined, key: undefined, session: undefined, excludes: [] }, person(ONE));
    const second = other({ supersedes: first.id });
    const third = change({ supersedes: second.id }, "chg-Change0002");
    expect(kinds(first.staged(), first.step("withdrawn", person(ONE)), second.staged(), second.step("withdrawn", agent), third.staged(), third.approved(ONE)))
      .toEqual(["self_approval @ entry 13", "quorum_not_met @ entry 13"]);
  });
});

describe("quorum_not_met", () => {
  it("names an approval with fewer persons than the larger of the staged and the decided number", () => {
    const staged = change({ required: 2 });
    expect(after(staged.staged(), staged.approved(ONE))).toEqual(["quorum_not_met @ entry 9: 1 of 2 persons who may approve have approved"]);
    const decided = change();
    expect(kinds(decided.staged(), decided.approved(ONE, 1, 2))).toEqual(["quorum_not_met @ entry 9"]);
  });

  it("counts a person once", () => {
    const it = change({ required: 2 });
    expect(kinds(it.staged(), it.endorsed(ONE), it.approved(ONE, 2, 2))).toEqual(["quorum_not_met @ entry 10"]);
  });

  it("voids only the approval of who takes it back", () => {
    const kept = change({ required: 2 });
    expect(kinds(kept.staged(), kept.endorsed(ONE), kept.approved(TWO, 2, 2), kept.retracted(TWO), kept.approved(TWO, 2, 2))).toEqual([]);
    const void_ = change({ required: 2 });
    expect(kinds(void_.staged(), void_.endorsed(ONE), void_.approved(TWO, 2, 2), void_.retracted(ONE), void_.approved(TWO, 2, 2)))
      .toEqual(["quorum_not_met @ entry 12"]);
  });
});

describe("quorum_not_met, by who is a member at that entry", () => {
  const gone = (person_: string) => governs("member.removed", "mem-One0000001", { person: person_, role: "operator" });
  it.each<[string, Draft[], string[]]>([
    ["removed", [gone(ONE)], ["quorum_not_met @ entry 11"]],
    ["made an auditor", [governs("member.changed", "mem-One0000001", { person: ONE, role: "auditor" })], ["quorum_not_met @ entry 11"]],
    ["made an admin", [governs("member.changed", "mem-One0000001", { person: ONE, role: "admin" })], []],
    ["removed, and back", [gone(ONE), governs("member.added", "mem-One0000001", { person: ONE, role: "operator" })], []],
  ])("an endorser who was %s meanwhile", (_, meanwhile, findings_) => {
    const it = change({ required: 2 });
    expect(kinds(it.staged(), it.endorsed(ONE), ...meanwhile, it.approved(TWO, 2, 2))).toEqual(findings_);
  });

  it("asks again where a failed change is tried again, and not where an approved one is carried out", () => {
    const again = change();
    expect(kinds(again.staged(), again.approved(ONE), again.failed(ONE), gone(ONE), again.applying(TWO), again.applied(TWO))).toEqual(["quorum_not_met @ entry 12"]);
    const once = change();
    expect(kinds(once.staged(), once.approved(ONE), gone(ONE), once.applying(ONE), once.applied(ONE))).toEqual([]);
  });
});

describe("not_a_member", () => {
  it("names a decision by one who is no member at that entry", () => {
    const it = change({ required: 2 });
    expect(after(it.staged(), it.endorsed("per-Stranger01"))).toEqual(["not_a_member @ entry 9: per-Stranger01 was not a member at change.endorsed"]);
    const left = change();
    const removed = governs("member.removed", "mem-One0000001", { person: ONE, role: "operator" });
    expect(kinds(left.staged(), removed, left.rejected(ONE))).toEqual(["not_a_member @ entry 10"]);
    const before = change();
    expect(kinds(before.staged(), before.approved(ONE), removed, before.applying(ONE), before.applied(ONE))).toEqual([]);
    const retried = change();
    expect(kinds(retried.staged(), retried.approved(ONE), retried.failed(ONE), removed, retried.applying(ONE))).toEqual(["not_a_member @ entry 12", "quorum_not_met @ entry 12"]);
  });

  it("names a decision by an auditor, with the role of that entry", () => {
    const it = change();
    expect(after(it.staged(), it.rejected(AUDITOR))).toEqual([`not_a_member @ entry 9: ${AUDITOR} was an auditor at change.rejected`]);
    const changed = governs("member.changed", "mem-Auditor001", { person: AUDITOR, role: "operator" });
    const now = change();
    expect(kinds(changed, now.staged(), now.rejected(AUDITOR))).toEqual([]);
    const counts = change();
    expect(kinds(counts.staged(), counts.approved(AUDITOR))).toEqual(["not_a_member @ entry 9", "quorum_not_met @ entry 9"]);
  });

  it("names who governs without being a member, but not who was refused", () => {
    expect(kinds(governs("policy.published", MERCHANT, { version: 2, rules: {} }, "per-Stranger01"))).toEqual(["not_a_member @ entry 8"]);
    expect(kinds({ type: "change.refused", actor: person("per-Stranger01"), subject: MERCHANT, data: { code: "forbidden", verb: "approve" } })).toEqual([]);
  });
});

describe("one-time links", () => {
  const link = "a".repeat(64);
  const made = (of = link, person_ = ONE): Draft => governs("member.link_made", "mem-One0000001", { expiresAt: "2026-12-03T00:00:00.000Z", link: of, person: person_ });
  const used = (of = link, actor = ONE): Draft => governs("member.link_used", "mem-One0000001", { link: of, person: ONE }, actor);
  const removed = governs("member.removed", "mem-One0000001", { person: ONE, role: "operator" });

  it("are made by an admin and used once, by whom they name, an auditor too", () => {
    expect(kinds(made(), used(), made("b".repeat(64)), used("b".repeat(64)))).toEqual([]);
    const auditor = { expiresAt: "2026-12-03T00:00:00.000Z", link, person: AUDITOR };
    expect(kinds(governs("member.link_made", "mem-Auditor001", auditor), governs("member.link_used", "mem-Auditor001", { link, person: AUDITOR }, AUDITOR))).toEqual([]);
  });

  it.each<[string, Draft[], string[]]>([
    ["was never made", [used()], ["illegal_transition @ entry 8"]],
    ["was used before", [made(), used(), used()], ["illegal_transition @ entry 10"]],
    ["a newer one ended", [made(), made("b".repeat(64)), used()], ["illegal_transition @ entry 10"]],
    ["was made for another", [made(link, TWO), used()], ["illegal_transition @ entry 9"]],
    ["another uses", [made(), used(link, OWNER)], ["illegal_transition @ entry 9"]],
    ["ended with the place", [made(), removed, used()], ["illegal_transition @ entry 10", "not_a_member @ entry 10"]],
    ["a stranger makes", [governs("member.link_made", "mem-One0000001", { expiresAt: "2026-12-03T00:00:00.000Z", link, person: ONE }, "per-Stranger01")], ["not_a_member @ entry 8"]],
  ])("name one that %s", (_, drafts, findings_) => {
    expect(kinds(...drafts)).toEqual(findings_);
  });
});

describe("over_refunded", () => {
  const half = (id: string, total: string, payment = PAYMENT) => change({ total, captured: "100", payment }, id);

  it("names an approval that takes more than the payment captured", () => {
    const [a, b] = [half("chg-Change0000", "60"), half("chg-Change0001", "60")];
    expect(after(a.staged(), b.staged(), a.approved(ONE), a.applying(ONE), a.applied(ONE), b.approved(ONE)))
      .toEqual([`over_refunded @ entry 13: 120 of ${PAYMENT} is refunded or held, 100 was captured`]);
  });

  it("gives back what is not applied, and takes it again at a retry", () => {
    const [a, b] = [half("chg-Change0000", "60"), half("chg-Change0001", "60")];
    expect(kinds(a.staged(), b.staged(), a.approved(ONE), a.retracted(ONE), b.approved(ONE))).toEqual([]);
    const [c, d] = [half("chg-Change0000", "60"), half("chg-Change0001", "60")];
    expect(kinds(c.staged(), d.staged(), c.approved(ONE), c.failed(ONE), d.approved(ONE), c.applying(TWO))).toEqual(["over_refunded @ entry 13"]);
  });

  it("names what takes too much, not what gives it back", () => {
    const [a, b, c] = [half("chg-Change0000", "60"), half("chg-Change0001", "60"), half("chg-Change0002", "60")];
    expect(kinds(a.staged(), b.staged(), c.staged(), a.approved(ONE), b.approved(ONE), c.approved(ONE), c.rejected(TWO)))
      .toEqual(["over_refunded @ entry 12", "over_refunded @ entry 13"]);
  });

  it("fills a payment to the brim, keeps payments apart, and believes the newest captured amount", () => {
    const [a, b, c] = [half("chg-Change0000", "60"), half("chg-Change0001", "40"), half("chg-Change0002", "100", "pay-Payment002")];
    expect(kinds(a.staged(), b.staged(), c.staged(), a.approved(ONE), b.approved(ONE), c.approved(ONE))).toEqual([]);
    const [d, e] = [half("chg-Change0000", "60"), change({ total: "60", captured: "120" }, "chg-Change0001")];
    expect(kinds(d.staged(), e.staged(), d.approved(ONE), e.approved(ONE))).toEqual([]);
  });
});

describe("an unknown type", () => {
  it("is told as a notice, and is no finding", () => {
    const found: string[] = [];
    const check = new LogCheck(LOG, sha256, (kind) => found.push(kind));
    const noted: Draft = { type: "shop.renamed", actor: person(OWNER), subject: MERCHANT, data: {} };
    for (const bytes of seal([...OPENING, noted, noted])) check.push(bytes);
    expect(check.end()).toEqual([{ type: "shop.renamed", entries: 2, first: "entry 8" }]);
    expect(found).toEqual([]);
    expect(readEntry(seal([noted])[0]!).entry).toBe(null);
  });
});
