import { hkdfSync } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readVector, vectorsIn } from "../testing/vectors";
import { fromBase64 } from "./bytes";
import { readCheckpoint, writeCheckpoint } from "./checkpoint";
import { publicKeyOf, verifyEd25519 } from "./ed25519";
import { openNote, readNote, readVerifierKey, writeVerifierKey, type VerifierKey } from "./note";
import { logSigner, readSeed, readSignerKey, signNote } from "./signer";

// The example of C2SP signed-note.
const KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const NOTE = "This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
const LINE = NOTE.split("\n")[2]!;
const TEXT = "This is an example message.\n";
const key = readVerifierKey(KEY)!;
const names = (keys: readonly { name: string; hash: string }[]) => keys.map(({ name, hash }) => `${name}+${hash}`);
const opened = (note: string, keys: readonly VerifierKey[] = [key]) => {
  const read = readNote(note);
  if (!read) return null;
  const { verified, invalid, unknown } = openNote(read, keys);
  return { verified: names(verified), invalid: names(invalid), unknown: names(unknown) };
};

describe("a signed note", () => {
  it("verifies by a known key, and by no other", () => {
    expect(readNote(NOTE)!.text).toBe(TEXT);
    expect(opened(NOTE)).toEqual({ verified: ["example.com/foo+530d903a"], invalid: [], unknown: [] });
    expect(opened(NOTE.replace("example m", "exemple m"))).toEqual({ verified: [], invalid: ["example.com/foo+530d903a"], unknown: [] });
    expect(opened(NOTE, [])).toEqual({ verified: [], invalid: [], unknown: ["example.com/foo+530d903a"] });
  });

  it("counts a key once, passes over unknown ones, and trusts no two keys of one name and hash", () => {
    const other = "\u2014 other.org/x AAAAAAEC";
    expect(opened(`${TEXT}\n${other}\n${LINE}\n${LINE}\n`)).toEqual({ verified: ["example.com/foo+530d903a"], invalid: [], unknown: ["other.org/x+00000000"] });
    expect(opened(NOTE, [key, { ...key, key: new Uint8Array(32) }])).toMatchObject({ verified: [], invalid: ["example.com/foo+530d903a"] });
  });

  it.each<[string, string]>([
    ["no signature", `${TEXT}\n`], ["no text", LINE], ["no empty line", `${TEXT}${LINE}\n`], ["no last newline", NOTE.slice(0, -1)], ["a hyphen for the dash", NOTE.replace("\u2014", "-")],
    ["a name with a plus", NOTE.replace("example.com/foo", "example.com+foo")], ["a name with a space", NOTE.replace("example.com/foo", "example.com foo")],
    ["a name with a no-break space", NOTE.replace("example.com/foo", "example\u00a0foo")], ["no name", NOTE.replace("example.com/foo ", "")],
    ["a signature shorter than a hash", NOTE.replace(/ Uw2.*=/, " Uw2QOg==")], ["base64 without padding", NOTE.replace("aQM=", "aQM")], ["base64 with unused bits", NOTE.replace("aQM=", "aQN=")],
    ["a carriage return", NOTE.replaceAll("\n", "\r\n")], ["a control character", `\u0007${NOTE}`], ["a lone surrogate", `\ud800${NOTE}`], ["101 signatures", `${TEXT}\n${`${LINE}\n`.repeat(101)}`],
    ["a million characters", `${"x".repeat(1_000_000)}${NOTE}`], ["an empty line among signatures", `${TEXT}\n${LINE}\n\n`],
  ])("is none with %s", (_, note) => {
    expect(readNote(note)).toBe(null);
  });
});

describe("a verifier key", () => {
  it("reads in one form only", () => {
    expect(writeVerifierKey(key)).toBe(KEY);
    for (const wrong of ["", "+", KEY.slice(1), KEY.slice(0, -1), `${KEY}=`, KEY.replace("530d", "530D"), KEY.replace("+Aek", "+Zek"), KEY.replace("+", " +"), `${KEY}\n`]) expect({ wrong, key: readVerifierKey(wrong) }).toEqual({ wrong, key: null });
  });
});

describe("the key of a log", () => {
  const seed = readSeed("00".repeat(31) + "01")!;
  const log = "undersigned/mer-Qf3kTz81Wm";

  it("follows from the instance's seed and the log's id, for ever", () => {
    expect(writeVerifierKey(logSigner(seed, log).key)).toBe("undersigned/mer-Qf3kTz81Wm+29025734+Ac8vVbLvaJW6bZD7f3y8pxJ907eLmuFlOVJnL9zvZY4Q");
    const secret = Buffer.from(hkdfSync("sha256", seed, "", `undersigned-log-key/1 ${log}`, 32));
    expect(logSigner(seed, log).key.key).toEqual(publicKeyOf(secret));
    expect(logSigner(seed, "undersigned/mer-Merchant02").key.key).not.toEqual(logSigner(seed, log).key.key);
    for (const wrong of ["", "00", "0".repeat(63), "G".repeat(64), "A".repeat(64)]) expect(readSeed(wrong)).toBe(null);
  });

  it("signs what verifies, several at once", () => {
    const signers = [logSigner(seed, log), logSigner(readSeed("ff".repeat(32))!, log)];
    const note = signNote(writeCheckpoint({ origin: log, size: 12n, root: "ab".repeat(32) }), signers);
    expect(readCheckpoint(readNote(note)!.text)).toEqual({ origin: log, size: 12n, root: "ab".repeat(32) });
    expect(opened(note, signers.map(({ key: each }) => each))).toEqual({ verified: names(signers.map(({ key: each }) => each)), invalid: [], unknown: [] });
  });
});

describe("a checkpoint", () => {
  const ROOT = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
  it("is origin, size and root, and lines that it does not know", () => {
    const checkpoint = { origin: "example.com/log", size: (1n << 64n) - 1n, root: "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62" };
    expect(writeCheckpoint(checkpoint)).toBe(`example.com/log\n18446744073709551615\n${ROOT}\n`);
    expect(readCheckpoint(writeCheckpoint(checkpoint))).toEqual(checkpoint);
    expect(readCheckpoint(`log\n0\n${ROOT}\nmore\n`)).toMatchObject({ origin: "log", size: 0n });
  });

  it.each(["", "\n", `\n1\n${ROOT}\n`, `log\n1\n${ROOT}`, `log\n01\n${ROOT}\n`, `log\n-1\n${ROOT}\n`, `log\n+1\n${ROOT}\n`, `log\n1.0\n${ROOT}\n`, `log\n\n${ROOT}\n`, "log\n1\nAAAA\n", `log\n1\n${ROOT.slice(0, -1)}\n`,
    `log\n1\n${ROOT.replace("2I=", "2J=")}\n`, `log\n18446744073709551616\n${ROOT}\n`, `log\n1\n${ROOT}\n\n`])("is none: %j", (text) => {
    expect(readCheckpoint(text)).toBe(null);
  });
});

type NoteVector = { id: string; msg_b64: string; vkeys: string[]; ok: boolean; text: string; verified: string[]; unverified: string[] };
type KeyVector = { vkey: string; ok: boolean; name: string; keyHash: string };
type BodyVector = { body: string; ok: boolean; origin: string; size: string; hash_b64: string; rest: string; note?: string };
type EdVectors = { testGroups: { publicKey: { pk: string }; tests: { tcId: number; msg: string; sig: string; result: string }[] }[] };

it("agrees with the published vectors of signed notes", () => {
  const folder = vectorsIn("note");
  if (!folder) return;
  for (const { id, msg_b64, vkeys, ok, text, verified } of readVector<NoteVector[]>(join(folder, "signed_note_open.json"))) {
    const read = utf8(fromBase64(msg_b64)!, readNote);
    const result = read && openNote(read, vkeys.map((vkey) => readVerifierKey(vkey)!));
    expect({ id, ok: result !== null && result.invalid.length === 0 && result.verified.length > 0 }).toEqual({ id, ok });
    if (ok) expect({ id, text: read!.text, verified: names(result!.verified) }).toEqual({ id, text, verified });
  }
  for (const { skey, text, want } of readVector<{ skey: string; text: string; want: string }[]>(join(folder, "signed_note_sign.json"))) {
    expect(signNote(text, [readSignerKey(skey)!])).toBe(want);
    expect(readSignerKey(skey.replace("+c", "+d"))).toBe(null);
  }
  for (const { vkey, ok, name, keyHash } of readVector<KeyVector[]>(join(folder, "vkey.json"))) {
    const read = readVerifierKey(vkey);
    expect({ vkey, ok: read !== null, name: read?.name, keyHash: read?.hash }).toEqual({ vkey, ok, name: ok ? name : undefined, keyHash: ok ? keyHash : undefined });
  }
  const { vkey } = readVector<{ vkey: string }>(join(folder, "vkey_mangle.json"));
  for (let from = 0; from < vkey.length; from++) {
    for (let to = from; to <= vkey.length; to++) if (to - from < vkey.length) expect(readVerifierKey(vkey.slice(from, to))).toBe(null);
    expect(readVerifierKey(`${vkey.slice(0, from)}${String.fromCharCode(vkey.charCodeAt(from) + 1)}${vkey.slice(from + 1)}`)).toBe(null);
  }
});

it("agrees with the published vectors of checkpoints, but for roots that are no SHA-256", () => {
  const folder = vectorsIn("note");
  if (!folder) return;
  const root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
  for (const { body, ok, origin, size, hash_b64, note } of readVector<BodyVector[]>(join(folder, "checkpoint_body.json"))) {
    expect(readCheckpoint(body)).toBe(null);
    const read = readCheckpoint(body.replace(hash_b64 ?? /\b[A-Za-z0-9]+={0,2}(?=\n?$)/, root));
    const strict = ok && note === undefined; // an empty line among the extensions is what the specification forbids
    expect({ body, read: read && { origin: read.origin, size: String(read.size) } }).toEqual({ body, read: strict ? { origin, size: String(size) } : null });
  }
});

it("agrees with the published vectors of Ed25519", () => {
  const folder = vectorsIn("ed25519");
  if (!folder) return;
  const hex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));
  for (const { publicKey, tests } of readVector<EdVectors>(join(folder, "ed25519_test.json")).testGroups) {
    for (const { tcId, msg, sig, result } of tests) expect({ tcId, ok: verifyEd25519(hex(publicKey.pk), hex(msg), hex(sig)) }).toEqual({ tcId, ok: result === "valid" });
  }
});

function utf8<T>(bytes: Uint8Array, read: (text: string) => T): T | null {
  try {
    return read(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
