import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "../kernel/canonical-json";
import { LOG, OPENING, seal, wholeStory, type Draft } from "../testing/log-builder";
import { readClosely, readEntry } from "./entry";

const fault = (bytes: string) => readEntry(bytes).fault;
const story = wholeStory().drafts;
const whole = seal(story);
const at = (type: string) => story.findIndex((draft) => draft.type === type);
/** The first entry of a type, made wrong. */
const made = (type: string, wrong: Partial<Draft>) => seal([{ ...story[at(type)]!, ...wrong }])[0]!;
const data = (type: string, wrong: { [member: string]: Json | undefined }) => made(type, { data: { ...story[at(type)]!.data, ...wrong } });

describe("readEntry", () => {
  it("finds no fault in what the format allows, and gives it by type", () => {
    expect(whole.map(fault)).toEqual(whole.map(() => null));
    expect(readEntry(whole[0]!).entry).toMatchObject({ type: "log.opened", log: LOG, seq: 0 });
    expect(readEntry(whole[at("change.approved")]!).entry).toMatchObject({ type: "change.approved", revision: 2, data: { required: 1 } });
  });

  it("reads an unknown type, and names it", () => {
    const bytes = made("log.opened", { type: "shop.renamed" });
    expect(readEntry(bytes)).toMatchObject({ entry: null, unknownType: "shop.renamed", fault: null });
    expect(fault(made("log.opened", { type: "shop.renamed", data: { size: 1.5 } }))).toBe('data "size" is not a safe integer');
  });

  it.each<[string, string, string]>([
    ["no JSON", "{", "is not JSON"],
    ["a space", whole[0]!.replace(":", ": "), "is not in canonical form"],
    ["1.0 for 1", whole[0]!.replace('"v":1', '"v":1.0'), "is not in canonical form"],
    ["1e0 for 1", whole[0]!.replace('"v":1', '"v":1e0'), "is not in canonical form"],
    ["a member twice", whole[0]!.replace('"v":1', '"v":1,"v":1'), "is not in canonical form"],
    ["an escape that is not needed", whole[1]!.replace("caf\u00e9", "caf\\u00e9"), "is not in canonical form"],
    ["members re-ordered", whole[0]!.replace(/"type":"[^"]*","v":1/, '"v":1,"type":"log.opened"'), 'has "type" after "v"'],
    ["nested members re-ordered", whole[0]!.replace('"id":"setup","kind":"system"', '"kind":"system","id":"setup"'), 'actor has "id" after "kind"'],
    ["rules re-ordered", whole[1]!.replace(/("expires_after_hours":168),("note":"[^"]*")/, "$2,$1"), 'data rules has "expires_after_hours" after "note"'],
    ["a lone surrogate", whole[1]!.replace("caf\u00e9", "\\ud800"), "has a lone surrogate"],
    ["too many bytes", made("policy.published", { data: { version: 1, rules: { long: "x".repeat(60_000) } } }), "is over 60000 bytes"],
    ["too many bytes though fewer characters", made("policy.published", { data: { version: 1, rules: { long: "\u00e9".repeat(30_000) } } }), "is over 60000 bytes"],
    ["nested too deep to print", `${"[".repeat(20_000)}${"]".repeat(20_000)}`, "is not in canonical form"],
  ])("refuses bytes with %s", (_, bytes, why) => {
    expect(fault(bytes)).toBe(why);
  });

  it.each<[string, string, string]>([
    ["a member of no type", made("log.opened", { more: 1 }), 'has an unknown member "more"'],
    ["a missing member", made("log.opened", { subject: undefined as never }), "lacks subject"],
    ["another version", made("log.opened", { v: 2 }), "v is not 1"],
    ["an unsafe seq", made("log.opened", { seq: 2 ** 53 }), "seq is not an integer from 0"],
    ["a negative seq", made("log.opened", { seq: -1 }), "seq is not an integer from 0"],
    ["a time without milliseconds", made("log.opened", { at: "2026-11-30T06:32:56Z" }), "at is not RFC 3339 UTC with milliseconds"],
    ["a time with an offset", made("log.opened", { at: "2026-11-30T06:32:56.295+00:00" }), "at is not RFC 3339 UTC with milliseconds"],
    ["the 30th of February", made("log.opened", { at: "2026-02-30T06:32:56.295Z" }), "at is a day that does not exist"],
    ["upper-case hex", made("log.opened", { prev: "A".repeat(64) }), "prev is not 64 hex digits"],
    ["an id of no kind", made("change.staged", { subject: "chg-short" }), "subject is not an id chg-…"],
    ["a subject of another kind", made("change.staged", { subject: "ord-Order00001" }), "subject is not an id chg-…"],
    ["another merchant as its subject", made("log.opened", { subject: "mer-Merchant02" }), "subject is another merchant"],
    ["an agent without its owner", made("change.staged", { actor: { kind: "agent", id: "agt-Agent00001" } }), "actor lacks for"],
    ["a person with an owner", made("change.approved", { actor: { kind: "person", id: "per-Operator01", for: "per-Operator02" } }), 'actor has an unknown member "for"'],
    ["an actor of no kind", made("log.opened", { actor: { kind: "robot", id: "worker" } }), "actor is not a person, an agent or the system"],
    ["an unknown system", made("log.opened", { actor: { kind: "system", id: "root" } }), "actor id is not worker or setup"],
    ["a move without revision", made("change.staged", { revision: undefined }), "has one of revision and digest without the other"],
    ["a move without both", made("change.staged", { revision: undefined, digest: undefined }), "lacks revision"],
    ["a revision of nothing that moves", made("change.refused", { revision: 1, digest: "0".repeat(64) }), "has a revision, though it moves no change"],
    ["revision 0", made("change.staged", { revision: 0 }), "revision is not an integer from 1"],
    ["null", data("change.staged", { session: null }), "data session is not an id ses-…"],
    ["an amount as a number", data("change.staged", { total: 1250 }), "data total is not an amount in minor units"],
    ["an amount with a leading zero", data("change.staged", { total: "01" }), "data total is not an amount in minor units"],
    ["a float in the rules", data("policy.published", { rules: { pct: 0.5 } }), 'data rules "pct" is not a safe integer'],
    ["null in the rules", data("policy.published", { rules: { deep: [{ none: null }] } }), 'data rules "deep" [0] "none" is null'],
    ["a refund without its payment", data("change.staged", { payment: undefined }), "data lacks payment, which a refund has"],
    ["persons that are not sorted", data("change.staged", { excludes: ["per-Operator02", "per-Operator01"] }), "data excludes is not sorted"],
    ["a person twice", data("change.staged", { excludes: ["per-Operator01", "per-Operator01"] }), "data excludes is not sorted"],
    ["a role of no kind", data("member.added", { role: "owner" }), "data role is not admin or operator or auditor"],
    ["a sentence for a code", data("change.rejected", { code: "It was too much." }), "data code is not a word"],
    ["text where the table has none", data("change.retracted", { reason: "changed my mind" }), 'data has an unknown member "reason"'],
  ])("refuses %s", (_, bytes, why) => {
    expect(fault(bytes)).toBe(why);
  });

  it("still follows an entry that was only re-spelt", () => {
    const bytes = whole[0]!.replace('"id":"setup","kind":"system"', '"kind":"system","id":"setup"').replace('"v":1', '"v":1.0');
    expect(readEntry(bytes)).toMatchObject({ fault: "is not in canonical form", entry: { type: "log.opened" } });
  });

  it("agrees with a canonical serialiser on what is canonical", () => {
    const rules = fc.dictionary(fc.string({ unit: "grapheme" }).filter((name) => !/^\d*$/.test(name)), fc.oneof(fc.maxSafeInteger(), fc.string({ unit: "binary" }), fc.boolean()));
    fc.assert(fc.property(rules, (value) => {
      const bytes = seal([...OPENING.slice(0, 1), { ...OPENING[1]!, data: { version: 1, rules: value } }])[1]!;
      expect(fault(bytes)).toBe(null);
      const spelt = JSON.stringify({ v: 1, ...JSON.parse(bytes) });
      expect(fault(spelt) === null).toBe(spelt === canonicalJson(JSON.parse(bytes)));
    }));
  });
});

describe("the quick way to read", () => {
  const PIECES = ['"', "\\", "\\u0061", ",", ":", "}", "{", "]", " ", "\n", "0", "1.0", "1e0", "-", "null", "\u00e9", "\ud800", '"x":1,', '","cap":"', '","actual":"1', "A", "_", "02-29", "02-30", "04-31", "12-31"];

  it("is taken by every entry of an ordinary log but the policy, and reads what the close look reads", () => {
    for (const bytes of whole) expect(readEntry(bytes)).toEqual(readClosely(bytes));
    const leap = made("change.staged", { at: "2028-02-29T00:00:00.000Z" });
    expect([fault(leap), readClosely(leap).fault]).toEqual([null, null]);
  });

  it("lets nothing pass that the close look does not, wherever an entry is touched", () => {
    fc.assert(fc.property(fc.constantFrom(...whole), fc.nat(), fc.nat(4), fc.constantFrom("", ...PIECES), (bytes, at, cut, piece) => {
      const from = at % bytes.length;
      const touched = bytes.slice(0, from) + piece + bytes.slice(from + cut);
      expect(readEntry(touched)).toEqual(readClosely(touched));
    }), { numRuns: 20_000 });
  });

  it("knows every day that exists", () => {
    const two = (n: number) => n.toString().padStart(2, "0");
    for (const year of [2027, 2028]) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const bytes = made("log.opened", { at: `${year}-${two(month)}-${two(day)}T00:00:00.000Z` });
          expect(readEntry(bytes)).toEqual(readClosely(bytes));
        }
      }
    }
  });

  it("knows no value of its own that holds what JSON escapes", () => {
    const refused = (cap: string) => data("change.refused", { cap });
    for (const cap of ['"', "\\", '","code":"other', "a\\"]) {
      expect(readEntry(refused(cap))).toEqual(readClosely(refused(cap)));
      const raw = refused("PLACE").replace("PLACE", cap);
      expect(readEntry(raw)).toEqual(readClosely(raw));
    }
  });

  it("judges what stands between members: an order, what a refund has, whose log it is", () => {
    expect(fault(data("change.staged", { excludes: ["per-KeyOwner02", "per-KeyOwner01"] }))).toBe("data excludes is not sorted");
    expect(fault(data("change.staged", { payment: undefined }))).toBe("data lacks payment, which a refund has");
    expect(fault(made("merchant.paused", { type: "merchant.paused", actor: { kind: "person", id: "per-KeyOwner01" }, subject: "mer-Merchant02", data: {} }))).toBe("subject is another merchant");
  });
});
