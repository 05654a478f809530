import { describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "../kernel/canonical-json";
import { ChangeStory, OPENING, seal, wholeStory } from "../testing/log-builder";
import { contentFault, contentId, expectedContent, type Expected } from "./content";
import { textDigests, textFault } from "./digested-text";
import { readEntry, type Entry } from "./entry";
import { sha256 } from "./sha256";

const story = new ChangeStory("chg-Change0000");
const expected = expectedContent(readEntry(seal([story.staged()])[0]!).entry as Entry<"change.staged">);

/** A content with other members, and what its staging expects where only the digest follows it. */
function other(wrong: { [member: string]: Json | undefined }): [string, Expected] {
  const bytes = canonicalJson({ ...JSON.parse(story.content), ...wrong });
  return [bytes, { ...expected, digest: sha256(bytes) }];
}
const fault = (wrong: { [member: string]: Json | undefined }) => contentFault(...other(wrong), sha256);

describe("the content of a change", () => {
  it("is the very bytes that were staged", () => {
    expect(contentFault(story.content, expected, sha256)).toBe(null);
    expect(contentId(story.content)).toBe(story.id);
    expect(contentId("{")).toBe(null);
    for (const bytes of [story.content.replace("cracked", "whole"), story.content.normalize("NFD"), `${story.content} `]) {
      expect(contentFault(bytes, expected, sha256)).toMatch(/^hashes to /);
    }
  });

  it("is canonical and whole, even where its digest is right", () => {
    const spaced = story.content.replace(":", ": ");
    expect(contentFault(spaced, { ...expected, digest: sha256(spaced) }, sha256)).toBe("is not in canonical form");
    expect(fault({ note: undefined })).toBe("lacks note");
    expect(fault({ extra: 1 })).toBe('has an unknown member "extra"');
    expect(fault({ evidence: Array.from({ length: 11 }, () => ({ label: "", text: "" })) })).toBe("evidence has more than 10 items");
  });

  it.each([["total", "1"], ["policy", 2], ["session", null], ["agent", "agt-Agent00002"], ["currency", "EUR"], ["supersedes", "chg-Change0009"], ["log", "undersigned/mer-Merchant02"]])(
    "says what its entry says: %s", (member, value) => {
      expect(fault({ [member]: value })).toMatch(/^says .* its entry says /);
    });

  it("sums to its total", () => {
    const item = { target: "lin-Line000001", field: "refunded", before: "0", after: "1249", quantity: 1, restock: "none" };
    expect(fault({ items: [item] })).toBe("its items sum to 1249, its total is 1250");
    expect(fault({ items: [{ ...item, after: "12.50" }] })).toBe("has an item that is not a refund's: is not an amount in minor units");
    expect(fault({ items: [{ ...item, field: "price" }] })).toBe("has an item that is not a refund's: price");
    const back = [{ ...item, after: "9000" }, { ...item, target: "lin-Line000002", before: "9000", after: "1250" }];
    expect(fault({ items: back })).toBe("has an item that takes back what was refunded: 9000 to 1250");
    expect(fault({ items: [item, { target: "ord-Order00001", field: "shipping", before: "10", after: "11" }] })).toBe(null);
  });
});

describe("a digested text", () => {
  const salt = "0".repeat(32);
  const bytes = canonicalJson({ salt, text: "Too much" });
  const carried = (digest: string) => digest === sha256(bytes);

  it("is one that an entry carries the digest of", () => {
    expect(textFault(bytes, carried, sha256)).toBe(null);
    expect(textFault(bytes.replace("much", "little"), carried, sha256)).toMatch(/^hashes to [0-9a-f]{64}, which no entry carries$/);
    const digests = seal(wholeStory().drafts).flatMap((entry) => textDigests(readEntry(entry).entry!));
    expect(digests).toEqual(expect.arrayContaining([sha256("reason"), sha256("agent"), ...OPENING.flatMap(({ data }) => (data.profileDigest === undefined ? [] : [String(data.profileDigest)]))]));
  });

  it("is a salted text or profile, in canonical form", () => {
    const any = () => true;
    for (const good of [{ salt, name: "Ada" }, { salt, name: "Ada", email: "ada@example.org" }]) expect(textFault(canonicalJson(good), any, sha256)).toBe(null);
    for (const bad of [{ text: "unsalted" }, { salt: "0", text: "x" }, { salt, text: "x", name: "y" }]) expect(textFault(canonicalJson(bad), any, sha256)).not.toBe(null);
    expect(textFault(bytes.replace(":", ": "), any, sha256)).toBe("is not in canonical form");
  });
});
