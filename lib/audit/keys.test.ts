import { describe, expect, it } from "vitest";
import { AGENT, agent, ChangeStory, findingsAfter as found, KEY, ONE, OWNER, person, TWO, type Draft } from "../testing/log-builder";

const OTHER = "agt-Agent00002";
const key = (verb: string, wrong: Draft["data"] = {}, by = OWNER, subject = KEY): Draft => ({
  type: `key.${verb}`, actor: person(by), subject, data: { agent: AGENT, owner: OWNER, by, scopes: ["stage:refund"], expiresAt: "2027-11-30T00:00:00.000Z", ...wrong },
});
const staged = (staging = {}, stager: Draft["actor"] = agent): Draft => new ChangeStory("chg-Change0000", staging, stager).staged();

describe("an agent stages with its key", () => {
  it.each<[string, Draft[]]>([
    ["another agent's", [staged({ agent: OTHER }, { ...agent, id: OTHER })]],
    ["its own, as another agent", [staged({ agent: OTHER })]],
    ["its own, for who does not own it", [staged({}, { ...agent, for: TWO })]],
  ])("and not with %s", (_, drafts) => {
    expect(found(...drafts)).toEqual(["illegal_transition @ entry 8"]);
  });

  it("while it is not revoked, for who owns it then", () => {
    expect(found(key("revoked"), staged())).toEqual(["illegal_transition @ entry 9"]);
    expect(found(key("revoked"), key("rotated"), staged())).toEqual(["illegal_transition @ entry 10"]);
    expect(found(key("rotated", { owner: TWO }), staged())).toEqual(["illegal_transition @ entry 9"]);
    expect(found(key("rotated", { owner: TWO }), staged({}, { ...agent, for: TWO }))).toEqual([]);
    expect([found(staged({ agent: undefined })), found(staged({ key: undefined })), found(staged({ key: "key-AgentKey02" }))]).toEqual([[], [], []]); // the format asks for neither
  });

  it("and what is lowered keeps the key of its first staging, whatever became of it", () => {
    const story = (stager: Draft["actor"]) => {
      const [old, it] = [new ChangeStory("chg-Change0000"), new ChangeStory("chg-Change0001", { supersedes: "chg-Change0000", by: ONE, total: "1000" }, stager)];
      return found(old.staged(), key("rotated", { owner: TWO }), key("revoked", { owner: TWO }), old.step("withdrawn", person(ONE)), it.staged(), it.approved(ONE));
    };
    expect(story(agent)).toEqual([]);
    expect(story({ ...agent, for: "per-Stranger01" })).toEqual(["illegal_transition @ entry 12"]);
  });
});

describe("a key", () => {
  it.each<[string, Draft]>([
    ["is created once", key("created")],
    ["is rotated only where it is one", key("rotated", {}, OWNER, "key-AgentKey02")],
    ["is revoked only where it is one", key("revoked", {}, OWNER, "key-AgentKey02")],
    ["stays its agent's", key("rotated", { agent: OTHER })],
    ["names who made it", key("created", { by: TWO }, OWNER, "key-AgentKey02")],
    ["names who rotated it", key("rotated", { by: TWO })],
  ])("%s", (_, draft) => {
    expect(found(draft)).toEqual(["illegal_transition @ entry 8"]);
  });

  it("revoked may still name who made it", () => {
    expect(found(key("revoked", { by: ONE }))).toEqual([]);
  });
});
