import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../kernel/canonical-json";
import { FACTS, LOG, OWNER, seal, wholeStory } from "../testing/log-builder";
import { splitLines, writeBundle } from "./bundle";
import { sha256 } from "./sha256";
import { verify } from "./verify";

const { drafts, contents } = wholeStory();
const reason = canonicalJson({ salt: "0".repeat(32), text: "caf\u00e9 closed" });
const told = drafts.map((draft) => (draft.type === "change.rejected" ? { ...draft, data: { code: "other", reasonDigest: sha256(reason) } } : draft));
const entries = seal(told);
/** The profiles of four members and the name of an agent: digests without a text here. */
const OTHER_TEXTS = 5;
const size = entries.length;

async function bundle(parts: Partial<Parameters<typeof writeBundle>[0]> = {}): Promise<string> {
  let file = "";
  for await (const line of writeBundle({ log: LOG, size, entries, contents, texts: [reason], ...parts })) file += line;
  return file;
}
async function* inChunks(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
const verifyFile = (file: string, chunk = 1000) => verify(splitLines(inChunks(new TextEncoder().encode(file), chunk)), sha256);
const found = async (file: string) => (await verifyFile(file)).findings.map(({ kind, place }) => `${kind} @ ${place}`);
const without = (list: readonly string[], at: number) => list.filter((_, n) => n !== at);
const line = (file: string, at: number, edit: (line: string) => string) =>
  file.split("\n").map((each, n) => (n === at ? edit(each) : each)).join("\n");

describe("a bundle", () => {
  it("is a header, the exact entries, contents, texts, and its checkpoint", async () => {
    const lines = (await bundle()).split("\n");
    expect(lines[0]).toBe(`{"format":"undersigned-bundle/1","log":"${LOG}","size":${size},"keys":[]}`);
    expect(lines.slice(1, size + 1)).toEqual(entries);
    expect(lines[size + 1]).toBe(`{"content":${contents[0]}}`);
    expect(lines.slice(-3)).toEqual([`{"text":${reason}}`, '{"checkpoint":null}', ""]);
  });

  it("verifies untouched, however it is cut into chunks", async () => {
    const file = await bundle();
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 5000 }), async (chunk) => {
      expect(await verifyFile(file, chunk)).toEqual({ ok: true, anchored: false, log: LOG, size, checkpoint: null, findings: [], notices: [], withheld: { contents: 0, texts: OTHER_TEXTS } });
    }), { numRuns: 20 });
  });

  it("verifies without contents and texts, and counts what it was not shown", async () => {
    const none = await verifyFile(await bundle({ contents: [], texts: [] }));
    expect(none).toMatchObject({ ok: true, findings: [], withheld: { contents: contents.length, texts: OTHER_TEXTS + 1 } });
  });

  it("names a content that is missing beside others, unless an entry erased it", async () => {
    const [first] = contents;
    expect(await found(await bundle({ contents: contents.slice(1) }))).toEqual(["content_mismatch @ change chg-Change0000"]);
    expect(await found(await bundle({ contents: contents.slice(2) }))).toEqual(["content_mismatch @ change chg-Change0000", "content_mismatch @ change chg-Change0001"]);
    const erasing = (digest: string) => seal([...told, { type: "content.erased", actor: { kind: "person", id: OWNER }, subject: "chg-Change0000", data: { digest } }]);
    const erased = (digest: string) => bundle({ size: size + 1, entries: erasing(digest), contents: contents.slice(1) });
    expect(await found(await erased(sha256(first!)))).toEqual([]);
    expect(await found(await erased("0".repeat(64)))).toEqual(["content_mismatch @ change chg-Change0000"]);
    const text = await verifyFile(await bundle({ size: size + 1, entries: erasing(sha256(reason)), texts: [] }));
    expect(text.withheld).toEqual({ contents: 0, texts: OTHER_TEXTS });
  });

  it("names a log that says it is empty", async () => {
    expect(await found(await bundle({ size: 0, entries: [], contents: [], texts: [] }))).toEqual(["truncated @ entry 0"]);
  });

  it.each<[string, (file: string) => string, string[]]>([
    ["a nested member edited", (file) => line(file, 9, (bytes) => bytes.replace('"total":"1250"', '"total":"1350"')), ["entry_altered @ entry 8", "content_mismatch @ change chg-Change0000"]],
    ["keys re-ordered", (file) => line(file, 9, (bytes) => bytes.replace(/"type":"([^"]*)","v":1/, '"v":1,"type":"$1"')), ["not_canonical @ entry 8", "entry_altered @ entry 8"]],
    ["1.0 for 1", (file) => line(file, 9, (bytes) => bytes.replace('"required":1', '"required":1.0')), ["not_canonical @ entry 8", "entry_altered @ entry 8"]],
    ["NFD for NFC in an entry", (file) => line(file, 2, (bytes) => bytes.normalize("NFD")), ["entry_altered @ entry 1"]],
    ["NFD for NFC in a content", (file) => line(file, size + 1, (bytes) => bytes.normalize("NFD")), ["content_mismatch @ change chg-Change0000"]],
    ["NFD for NFC in a text", (file) => line(file, size + 9, (bytes) => bytes.normalize("NFD")), [`text_mismatch @ line ${size + 10}`]],
    ["a content of no change", (file) => line(file, size + 1, (bytes) => bytes.replace("chg-Change0000", "chg-Change0099")), [`content_mismatch @ line ${size + 2}`, "content_mismatch @ change chg-Change0000"]],
    ["the last entries missing", (file) => without(without(file.split("\n"), size), size - 1).join("\n"), [`content_mismatch @ line ${size + 7}`, `truncated @ entry ${size - 2}`]],
    ["a line that came in between", (file) => line(file, size + 1, (bytes) => `${bytes}\n${entries[0]}`), [
      `not_canonical @ line ${size + 3}`, "seq_gap @ entry 0", "link_broken @ entry 0", "not_canonical @ line 1"]],
    ["an empty line", (file) => `${file}\n`, [`not_canonical @ line ${size + 12}`, `not_canonical @ entry ${size}`, "not_canonical @ line 1"]],
    ["the end missing", (file) => file.slice(0, file.lastIndexOf('{"checkpoint"')), [`truncated @ line ${size + 11}`]],
    ["a checkpoint that nobody can check", (file) => file.replace('{"checkpoint":null}', '{"checkpoint":"signed"}'), ["not_canonical @ checkpoint"]],
    ["a size that is too small", (file) => file.replace(`"size":${size}`, `"size":${size - 1}`), ["not_canonical @ line 1"]],
    ["another log's header", (file) => file.replace(LOG, "undersigned/mer-Merchant02"), entries.map((_, seq) => `wrong_log @ entry ${seq}`)],
  ])("names %s", async (_, tamper, findings) => {
    expect((await found(tamper(await bundle()))).toSorted()).toEqual(findings.toSorted());
  });

  it("gives two findings for two faults, each at its place", async () => {
    const other = (bytes: string) => bytes.replace(FACTS, sha256("other facts"));
    expect(await found(line(line(await bundle(), 14, other), 10, other))).toEqual(["entry_altered @ entry 9", "entry_altered @ entry 13"]);
  });

  it("is unreadable without its header, empty, or where it is not UTF-8", async () => {
    for (const file of ["", "{}\n", "not a bundle\n", `${entries[0]}\n`]) await expect(verifyFile(file)).rejects.toThrow(/^(The file is empty|The first line is not the header)/);
    const bytes = new TextEncoder().encode(await bundle());
    bytes[bytes.length - 30] = 0xff;
    await expect(verify(splitLines(inChunks(bytes, 100)), sha256)).rejects.toThrow("The file is not UTF-8");
  });
});
