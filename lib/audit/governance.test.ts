import { describe, expect, it } from "vitest";
import { AGENT, agent, AUDITOR, ChangeStory, findingsAfter as found, KEY, MERCHANT, ONE, OWNER, person, system, TWO, type Draft } from "../testing/log-builder";

const change = new ChangeStory("chg-Change0000");
const staged = change.staged();
const key = { agent: AGENT, owner: OWNER, scopes: [], expiresAt: "2027-11-30T00:00:00.000Z" };
const governs = (type: string, data: Draft["data"] = {}, by = OWNER): Draft => ({ type, actor: person(by), subject: MERCHANT, data });
const published = (rules: Draft["data"] = {}, by = OWNER, version = 2) => governs("policy.published", { version, rules }, by);
const proposed = (rules: Draft["data"] = {}, by = OWNER, base = 1) => governs("policy.proposed", { base, rules }, by);
const declined = (by = OWNER, base = 1) => governs("policy.declined", { base }, by);
const paused = (by = OWNER) => governs("merchant.paused", {}, by);
const resumed = (by = OWNER) => governs("merchant.resumed", {}, by);
/** Entry 8: TWO governs as well. */
const second: Draft = { ...governs("member.changed", { person: TWO, role: "admin" }), subject: "mem-Two0000001" };

describe("who governs", () => {
  it.each<[string, (by: string) => Draft]>([
    ["policy.published", (by) => published({}, by)],
    ["policy.proposed", (by) => proposed({}, by)],
    ["merchant.paused", paused],
    ["member.changed", (by) => ({ ...second, actor: person(by) })],
    ["member.link_made", (by) => ({ ...governs("member.link_made", { expiresAt: key.expiresAt, link: "a".repeat(64), person: TWO }, by), subject: "mem-Two0000001" })],
    ["agent.changed", (by) => ({ ...governs("agent.changed", { nameDigest: "a".repeat(64) }, by), subject: AGENT })],
    ["key.revoked", (by) => ({ ...governs("key.revoked", { ...key, by }, by), subject: KEY })],
    ["content.erased", (by) => ({ ...governs("content.erased", { digest: "a".repeat(64) }, by), subject: change.id })],
  ])("is an admin or setup: %s", (_, entry) => {
    expect(found(staged, entry(OWNER))).toEqual([]);
    expect(found(staged, { ...entry(OWNER), actor: system("setup") })).toEqual([]);
    for (const by of [ONE, AUDITOR, "per-Stranger01"]) expect(found(staged, entry(by))).toEqual(["not_a_member @ entry 9"]);
    for (const actor of [agent, system("worker")]) expect(found(staged, { ...entry(OWNER), actor })).toEqual(["illegal_transition @ entry 9"]);
  });

  it("is who is an admin at that entry", () => {
    expect(found(second, published({}, TWO))).toEqual([]);
    expect(found(second, { ...second, data: { person: TWO, role: "operator" } }, published({}, TWO))).toEqual(["not_a_member @ entry 10"]);
  });
});

describe("a proposal", () => {
  it("is published as it is by another admin, or declined by either", () => {
    expect(found(second, proposed({ a: 1 }), published({ a: 1 }, TWO), proposed({}, TWO, 2), declined(OWNER, 2), proposed({}, TWO, 2), declined(TWO, 2))).toEqual([]);
    expect(found(proposed(), published())).toEqual([]); // nobody else is left
    expect(found(second, published())).toEqual([]); // nothing was proposed
  });

  it.each<[string, Draft[]]>([
    ["with other rules", [proposed({ a: 1 }), published({ a: 2 }, TWO)]],
    ["as another version", [proposed(), published({}, TWO, 3)]],
    ["by who proposed it", [proposed(), published()]],
    ["while another waits", [proposed(), proposed({}, TWO)]],
    ["declined in place of another policy", [proposed(), declined(TWO, 2)]],
  ])("is not put %s", (_, drafts) => {
    expect(found(second, ...drafts)).toEqual(["illegal_transition @ entry 10"]);
  });

  it("takes the place of the policy in force, and waits until it is published or declined", () => {
    expect(found(proposed({}, OWNER, 2))).toEqual(["illegal_transition @ entry 8"]);
    expect(found(declined())).toEqual(["illegal_transition @ entry 8"]);
    expect(found(proposed(), declined(), declined())).toEqual(["illegal_transition @ entry 10"]);
    expect(found(proposed(), published(), declined())).toEqual(["illegal_transition @ entry 10"]);
  });
});

describe("the kill switch", () => {
  it("is thrown once, and put back once, by another admin where there is one", () => {
    expect(found(paused(), resumed(), paused(), resumed())).toEqual([]);
    expect(found(second, paused(), resumed(TWO))).toEqual([]);
    expect(found(second, paused(), resumed())).toEqual(["illegal_transition @ entry 10"]);
    expect(found(paused(), paused())).toEqual(["illegal_transition @ entry 9"]);
    expect(found(resumed())).toEqual(["illegal_transition @ entry 8"]);
  });
});
