import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { fromBase64, toBase64 } from "./bytes";
import { verifyEd25519 } from "./ed25519";

// C2SP signed-note, with Ed25519 keys.

export type VerifierKey = { name: string; hash: string; key: Uint8Array };
export type NoteSignature = { name: string; hash: string; signature: Uint8Array };
/** `text` ends in its newline: the bytes that are signed. */
export type Note = { text: string; signatures: NoteSignature[] };
/** By known keys that verify, by known keys that do not, and by others. Each key counts once. */
export type Opened = { verified: VerifierKey[]; invalid: VerifierKey[]; unknown: NoteSignature[] };

const MAX_NOTE = 1_000_000;
const MAX_SIGNATURES = 100;
const ED25519 = 1;

const isName = (name: string): boolean => /^[^\s\u0085+]+$/u.test(name) && !/\p{Cs}/u.test(name);

/** The first 4 bytes, in hex, of SHA-256(name ‖ 0x0A ‖ algorithm ‖ key). */
const keyHash = (name: string, typed: Uint8Array): string => bytesToHex(sha256(concatBytes(utf8ToBytes(`${name}\n`), typed)).subarray(0, 4));

export const encodeKey = (key: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(ED25519), key);

export function verifierKey(name: string, key: Uint8Array): VerifierKey {
  return { name, hash: keyHash(name, encodeKey(key)), key };
}

/** `name+hash+key`, as a log publishes it. */
export const writeVerifierKey = ({ name, hash, key }: VerifierKey): string => `${name}+${hash}+${toBase64(encodeKey(key))}`;

/** null where it is no Ed25519 verifier key in its one form. */
export function readVerifierKey(text: string): VerifierKey | null {
  const [, name, hash, encoded] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/u.exec(text) ?? [];
  const typed = encoded === undefined ? null : fromBase64(encoded);
  if (!isName(name ?? "") || typed?.length !== 33 || typed[0] !== ED25519) return null;
  const key = verifierKey(name!, typed.subarray(1));
  return key.hash === hash ? key : null;
}

/** null where it is no signed note. Whose the signatures are is not looked at. */
export function readNote(note: string): Note | null {
  if (note.length > MAX_NOTE || /\p{Cs}/u.test(note) || [...note].some((char) => char < " " && char !== "\n")) return null;
  const end = note.lastIndexOf("\n\n") + 1;
  const lines = note.slice(end + 1).split("\n");
  if (end === 0 || lines.pop() !== "" || lines.length === 0 || lines.length > MAX_SIGNATURES) return null;
  const signatures = lines.map(readSignature);
  return signatures.includes(null) ? null : { text: note.slice(0, end), signatures: signatures as NoteSignature[] };
}

function readSignature(line: string): NoteSignature | null {
  const [, name, encoded] = /^\u2014 ([^ ]+) ([A-Za-z0-9+/]+=*)$/u.exec(line) ?? [];
  const bytes = encoded === undefined ? null : fromBase64(encoded);
  if (!isName(name ?? "") || bytes === null || bytes.length < 5) return null;
  return { name: name!, hash: bytesToHex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
}

/** Holds each signature against the keys. Two different keys of one name and hash verify nothing: which is meant is not known. */
export function openNote({ text, signatures }: Note, keys: readonly VerifierKey[]): Opened {
  const opened: Opened = { verified: [], invalid: [], unknown: [] };
  const seen = new Set<string>();
  const message = utf8ToBytes(text);
  for (const given of signatures) {
    const [key, other] = keys.filter(({ name, hash }) => name === given.name && hash === given.hash);
    if (!key) opened.unknown.push(given);
    else if (!seen.has(`${key.name}+${key.hash}`)) {
      seen.add(`${key.name}+${key.hash}`);
      (!other && verifyEd25519(key.key, message, given.signature) ? opened.verified : opened.invalid).push(key);
    }
  }
  return opened;
}
