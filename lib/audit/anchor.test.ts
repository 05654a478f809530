import { describe, expect, it } from "vitest";
import { LOG, seal, wholeStory } from "../testing/log-builder";
import { checkpointOf, rootsOf, SIGNER, signedBundle, STRANGER, vkeyOf } from "../testing/signed-log";
import type { Checkpoint } from "./checkpoint";
import { sha256 } from "./sha256";
import { readSince } from "./since";
import { logSigner } from "./signer";
import { verify } from "./verify";

const { drafts } = wholeStory();
const entries = seal(drafts);
const size = entries.length;
const KEY = vkeyOf(SIGNER);
const lines = (file: string) => [file.split("\n").slice(0, -1)];
const check = async (file: string, keys: readonly string[] = [KEY], since?: Checkpoint) => {
  const { anchored, findings } = await verify(lines(file), sha256, { keys, ...(since && { since }) });
  return { anchored, findings: findings.map(({ kind, place }) => `${kind} @ ${place}`) };
};
const seen = (file: string) => readSince(lines(file), sha256);
const green = { anchored: true, findings: [] };

describe("a signed bundle", () => {
  it("is anchored by a key that is trusted, never by the keys that it brings along", async () => {
    const file = await signedBundle(entries);
    expect(await check(file)).toEqual(green);
    expect(await check(file, [])).toEqual({ anchored: false, findings: [] });
    expect(await verify(lines(file), sha256, { keys: [KEY] })).toMatchObject({ ok: true, size, checkpoint: checkpointOf(entries) });
    expect(await check(await signedBundle(entries, { checkpoint: null }))).toEqual({ anchored: false, findings: [] });
    expect(await check(await signedBundle(entries, { checkpoint: null }), [])).toEqual({ anchored: false, findings: [] });
  });

  it("is anchored while keys rotate: both sign, both are listed, one is trusted", async () => {
    const both = await signedBundle(entries, { checkpoint: checkpointOf(entries, [SIGNER, STRANGER]), keys: [KEY, vkeyOf(STRANGER)] });
    for (const keys of [[KEY], [vkeyOf(STRANGER)], [KEY, vkeyOf(STRANGER), KEY]]) expect(await check(both, keys)).toEqual(green);
    expect(await check(await signedBundle(entries, { checkpoint: checkpointOf(entries, [STRANGER, SIGNER]), keys: [] }))).toEqual(green);
  });

  it.each<[string, Parameters<typeof signedBundle>[1], string[], string[]?]>([
    ["an unknown key", { checkpoint: checkpointOf(entries, [STRANGER]) }, ["unknown_key @ checkpoint"]],
    ["an unknown key, which the file names", { checkpoint: checkpointOf(entries, [STRANGER]), keys: [vkeyOf(STRANGER)] }, ["unknown_key @ checkpoint"]],
    ["an unknown key, which the file does not name, to a reader who trusts none", { checkpoint: checkpointOf(entries, [STRANGER]) }, ["unknown_key @ checkpoint"], []],
    ["a key of another log", { checkpoint: checkpointOf(entries, [logSigner(new Uint8Array(32).fill(1), "undersigned/mer-Merchant02")]) }, ["unknown_key @ checkpoint"]],
    ["a signature that does not fit", { checkpoint: checkpointOf(entries).replace(`\n${size}\n`, `\n${size - 1}\n`), size: size - 1 }, ["signature_invalid @ checkpoint", "truncated"]],
    ["a signature that does not fit, to a reader who trusts none", { checkpoint: checkpointOf(entries).replace(/.{4}\n$/, "AAA=\n") }, ["signature_invalid @ checkpoint"], []],
    ["another root", { checkpoint: checkpointOf(entries, [SIGNER], { root: rootsOf(entries)[1]! }) }, ["root_mismatch @ checkpoint"]],
    ["another log", { checkpoint: checkpointOf(entries, [SIGNER], { origin: "undersigned/mer-Merchant02" }) }, ["wrong_log @ checkpoint"]],
    ["a larger size", { checkpoint: checkpointOf(entries, [SIGNER], { size: BigInt(size + 3) }) }, ["not_canonical @ line 1", `truncated @ entry ${size}`]],
    ["a smaller size", { checkpoint: checkpointOf(entries.slice(0, -2)) }, ["not_canonical @ line 1"]],
    ["more entries than are signed", { checkpoint: checkpointOf(entries.slice(0, -2)), size: size - 2 }, ["not_canonical @ line 1"]],
    ["a note that is none", { checkpoint: "signed" }, ["not_canonical @ checkpoint"]],
    ["a note that is no checkpoint", { checkpoint: checkpointOf(entries).replace(`\n${size}\n`, "\nmany\n") }, ["not_canonical @ checkpoint"]],
    ["a key that is none", { keys: ["mine"] }, ["not_canonical @ line 1"]],
  ])("with %s is not green", async (_, wrong, expected, keys) => {
    const { anchored, findings } = await check(await signedBundle(entries, wrong), keys);
    const fitting = expected.filter((finding) => finding !== "truncated");
    expect(findings).toEqual(expect.arrayContaining(fitting));
    if (fitting.length === expected.length) expect(findings).toHaveLength(expected.length);
    expect(anchored).toBe(expected[0] === "not_canonical @ line 1" && wrong?.keys !== undefined);
  });

  it("is not anchored where one of two trusted keys has signed something else", async () => {
    const note = checkpointOf(entries, [SIGNER, STRANGER]).replace(/.{4}\n$/, "AAA=\n");
    expect(await check(await signedBundle(entries, { checkpoint: note }), [KEY, vkeyOf(STRANGER)])).toEqual({ anchored: false, findings: ["signature_invalid @ checkpoint"] });
  });

  it("shows an edit of its last entry, which no link covers", async () => {
    const file = (await signedBundle(entries)).replace(/"reasonDigest":"[0-9a-f]{64}"(?=[^\n]*\n\{"checkpoint")/, `"reasonDigest":"${"0".repeat(64)}"`);
    expect(await check(file)).toEqual({ anchored: false, findings: ["root_mismatch @ checkpoint"] });
  });

  it("is not read with a key that is none", async () => {
    await expect(verify(lines(await signedBundle(entries)), sha256, { keys: ["mine"] })).rejects.toThrow('"mine" is not a verifier key');
  });

  it("has a checkpoint line in one form", async () => {
    const file = (await signedBundle(entries)).replace('{"checkpoint":"u', '{"checkpoint":"\\u0075');
    expect(await check(file)).toEqual({ anchored: false, findings: [`not_canonical @ line ${size + 2}`] });
  });
});

describe("what was seen before", () => {
  it("is still there in a log that grew, whether it was kept as a checkpoint, a bundle or an unsigned bundle", async () => {
    const now = await signedBundle(entries);
    for (const n of [1, 7, size - 1, size]) {
      const then = entries.slice(0, n);
      for (const kept of [checkpointOf(then), await signedBundle(then), await signedBundle(then, { checkpoint: null, keys: [] })]) expect(await check(now, [KEY], await seen(kept))).toEqual(green);
    }
  });

  it("shows a log that was cut off, or written anew, though the same key signed it", async () => {
    const since = await seen(checkpointOf(entries));
    const signed = (list: readonly string[]) => signedBundle(list);
    expect(await check(await signed(entries.slice(0, -2)))).toEqual(green);
    expect(await check(await signed(entries.slice(0, -2)), [KEY], since)).toEqual({ anchored: true, findings: [`history_rewritten @ entry ${size - 2}`] });
    expect(await check(await signed([]), [KEY], since)).toEqual({ anchored: true, findings: ["truncated @ entry 0", "history_rewritten @ entry 0"] });
    const anew = seal(drafts.map((draft) => (draft.type === "member.added" ? { ...draft, data: { ...draft.data, profileDigest: sha256("someone") } } : draft)));
    expect(await check(await signed(anew))).toEqual(green);
    expect(await check(await signed(anew), [KEY], since)).toEqual({ anchored: true, findings: [`history_rewritten @ entry ${size - 1}`] });
    expect(await check(await signed(anew), [KEY], await seen(await signed(entries.slice(0, 12))))).toEqual({ anchored: true, findings: ["history_rewritten @ entry 11"] });
  });

  it("is of the same log, and is one at all", async () => {
    const other = await seen(checkpointOf(entries, [SIGNER], { origin: "undersigned/mer-Merchant02" }));
    expect(await check(await signedBundle(entries), [KEY], other)).toEqual({ anchored: true, findings: ["wrong_log @ since"] });
    for (const none of ["", "\n", "{}\n", '{"checkpoint":null}\n', "log\n1\n", `${LOG}\n`]) await expect(seen(none)).rejects.toThrow("neither a checkpoint nor a bundle nor a receipt");
  });
});
