import { describe, expect, it } from "vitest";
import { canonicalJson } from "../kernel/canonical-json";
import { ChangeStory, LOG, ONE, OPENING, OWNER, person, seal, wholeStory, type Draft } from "../testing/log-builder";
import { checkpointOf, receiptOf, SIGNER, STRANGER, vkeyOf } from "../testing/signed-log";
import { isReceipt, verifyReceipt } from "./receipt";
import { sha256 } from "./sha256";
import { readSince } from "./since";

const { drafts, contents } = wholeStory();
const reason = canonicalJson({ salt: "0".repeat(32), text: "caf\u00e9 closed" });
const told = drafts.map((draft) => (draft.type === "change.rejected" ? { ...draft, data: { code: "other", reasonDigest: sha256(reason) } } : draft));
const entries = seal(told);
const KEY = vkeyOf(SIGNER);
const [PAID, REJECTED] = ["chg-Change0000", "chg-Change0002"];
const paid = () => receiptOf(entries, PAID, { content: contents[0]! });
const check = (file: string, keys = [KEY]) => {
  const { anchored, findings } = verifyReceipt(file, sha256, { keys });
  return { anchored, findings: findings.map(({ kind, place }) => `${kind} @ ${place}`) };
};
const without = (file: string, at: number) => {
  const receipt = JSON.parse(file) as { entries: unknown[] };
  return JSON.stringify({ ...receipt, entries: receipt.entries.toSpliced(at, 1) });
};
const green = { anchored: true, findings: [] };

describe("a receipt", () => {
  it("proves every change of a log, with its content and its texts", async () => {
    for (const [at, content] of contents.entries()) expect(check(await receiptOf(entries, `chg-Change000${at}`, { content }))).toEqual(green);
    const file = await receiptOf(entries, REJECTED, { content: contents[2]!, texts: [reason] });
    expect(verifyReceipt(file, sha256, { keys: [KEY] })).toEqual({
      ok: true, anchored: true, log: LOG, size: 2, checkpoint: checkpointOf(entries), findings: [], notices: [], withheld: { contents: 0, texts: 0 },
    });
    expect([isReceipt(file), isReceipt("{}")]).toEqual([true, false]);
  });

  it("counts what it was not shown, unless it was erased", async () => {
    expect(verifyReceipt(await receiptOf(entries, REJECTED), sha256)).toMatchObject({ ok: true, anchored: false, withheld: { contents: 1, texts: 1 } });
    const erasing = ["chg-Change0002"].flatMap((subject): Draft[] => [sha256(contents[2]!), sha256(reason)].map((digest) => ({ type: "content.erased", actor: person(OWNER), subject, data: { digest } })));
    const erased = seal([...told, erasing[1]!, erasing[0]!]);
    expect(verifyReceipt(await receiptOf(erased, REJECTED), sha256, { keys: [KEY] })).toMatchObject({ ok: true, anchored: true, withheld: { contents: 0, texts: 0 } });
  });

  it.each<[string, (file: string) => string, string[]]>([
    ["an entry edited", (file) => file.replace('\\"total\\":\\"1250\\"', '\\"total\\":\\"1350\\"'), ["root_mismatch @ entry 8", "content_mismatch @ change chg-Change0000"]],
    ["another index", (file) => file.replace('"index":9', '"index":10'), ["seq_gap @ entry 10", "root_mismatch @ entry 10", "seq_gap @ entry 10"]],
    ["a step left out", (file) => without(file, 1), ["illegal_transition @ entry 10"]],
    ["its content edited", (file) => file.replace("cracked", "whole"), ["content_mismatch @ change chg-Change0000"]],
    ["a proof that is none", (file) => file.replace(/("index":9,"proof":\[)"/, '$1"A'), ["not_canonical @ entry 9"]],
    ["a proof cut short", (file) => file.replace(/("index":9,"proof":\[)"[^"]*",/, "$1"), ["root_mismatch @ entry 9"]],
    ["space between", (file) => file.replace('"entries":[', '"entries": ['), ["not_canonical @ receipt"]],
    ["a member twice", (file) => file.replace('"content":{', '"content":null,"content":{'), ["not_canonical @ receipt"]],
    ["a member more", (file) => file.replace('"content":{', '"note":1,"content":{'), ["not_canonical @ receipt"]],
    ["another text", (file) => file.replace('"texts":[]', `"texts":[${reason}]`), ["text_mismatch @ text 0"]],
    ["another log's name", (file) => file.replace(LOG, "undersigned/mer-Merchant02"), ["wrong_log @ checkpoint", ...[8, 9, 10, 11].map((seq) => `wrong_log @ entry ${seq}`)]],
    ["a key that is none", (file) => file.replace(KEY, "mine"), ["not_canonical @ keys"]],
    ["no entries", (file) => file.replace(/"entries":\[.*?\}\],"texts"/, '"entries":[],"texts"').replace(/"content":\{.*?\},"entries"/, '"content":null,"entries"'), ["truncated @ receipt"]],
  ])("with %s is told apart", async (_, tamper, findings) => {
    expect(check(tamper(await paid())).findings.toSorted()).toEqual(findings.toSorted());
  });

  it("is not anchored by a stranger's key, or one of its own", async () => {
    const strange = await receiptOf(entries, PAID, { content: contents[0]!, checkpoint: checkpointOf(entries, [STRANGER]), keys: [vkeyOf(STRANGER)] });
    expect(check(strange)).toEqual({ anchored: false, findings: ["unknown_key @ checkpoint"] });
    expect(check(strange, [])).toEqual({ anchored: false, findings: [] });
    expect(check(await receiptOf(entries, PAID, { checkpoint: checkpointOf(entries).replace(/.{4}\n$/, "AAA=\n") }))).toEqual({ anchored: false, findings: ["signature_invalid @ checkpoint"] });
  });

  it("shows a decision that nobody could take, as far as its entries tell", async () => {
    const wrong = (type: string, actor: object) => seal(told.map((draft) => (draft.type === type && draft.subject === PAID ? { ...draft, actor: actor as Draft["actor"] } : draft)));
    expect(check(await receiptOf(wrong("change.approved", person(OWNER)), PAID)).findings).toEqual(expect.arrayContaining(["self_approval @ entry 9", "quorum_not_met @ entry 9"]));
    expect(check(await receiptOf(wrong("change.approved", { kind: "system", id: "worker" }), PAID)).findings).toEqual(expect.arrayContaining(["illegal_transition @ entry 9"]));
    const mixed = (await receiptOf(entries, PAID)).replace(/\]\}\],"texts"/, ']},IN],"texts"').replace("IN", () => /"entries":\[(.*?\]\})/.exec(JSON_OF_OTHER)![1]!);
    expect(check(mixed).findings).toContain("illegal_transition @ entry 15");
  });

  it("does not say who was a member, for it cannot know", async () => {
    const gone = seal([...told.slice(0, 9), { type: "member.removed", actor: person(OWNER), subject: "mem-One0000001", data: { person: ONE, role: "operator" } }, ...told.slice(9)]);
    expect(check(await receiptOf(gone, PAID))).toEqual(green);
  });

  it("is held against a checkpoint of its size, and of its log", async () => {
    const file = await paid();
    const seen = (note: string) => readSince([note.split("\n").slice(0, -1)], sha256);
    const found = async (note: string) => verifyReceipt(file, sha256, { keys: [KEY], since: await seen(note) }).findings.map(({ kind }) => kind);
    expect(await found(checkpointOf(entries))).toEqual([]);
    expect(await found(file)).toEqual([]);
    expect(await found(checkpointOf(entries.slice(0, 3)))).toEqual([]);
    expect(await found(checkpointOf(entries, [SIGNER], { root: "0".repeat(64) }))).toEqual(["history_rewritten"]);
    expect(await found(checkpointOf(entries, [SIGNER], { origin: "undersigned/mer-Merchant02" }))).toEqual(["wrong_log"]);
  });

  it("is unreadable where it is none", async () => {
    for (const file of ["", "{", "null", "{}", '{"format":"undersigned-receipt/2"}', (await paid()).replace('"entries":[', '"entries":[null,'), (await paid()).replace("cracked", "\\ud800"),
      (await paid()).replace('"texts":[]', `"texts":[${"[".repeat(20_000)}${"]".repeat(20_000)}]`)]) expect(() => verifyReceipt(file, sha256)).toThrow(/^The file is not/);
  });
});

const JSON_OF_OTHER = await receiptOf(entries, REJECTED);

it("a receipt of a lowered change says nothing of the one it took the place of, and holds nothing against who lowered it", async () => {
  const [old, left] = [new ChangeStory("chg-Change0000"), new ChangeStory("chg-Change0001", { supersedes: "chg-Change0000", by: ONE, total: "1000" })];
  const log = seal([...OPENING, old.staged(), old.step("withdrawn", person(ONE)), left.staged(), left.approved(ONE)]);
  expect(check(await receiptOf(log, left.id, { content: left.content }))).toEqual(green);
});
