import { readCheckpoint, type Checkpoint } from "./checkpoint";
import { Unreadable } from "./bundle";
import type { Report } from "./finding";
import { openNote, readNote, readVerifierKey, type VerifierKey } from "./note";

/** What a reader brings along. `keys` are verifier keys that they trust; `since` is the log as it was seen before. */
export type Trust = { keys?: readonly string[]; since?: Checkpoint };

/** A signed statement of a log's size and root; `trusted` where a key that the reader trusts signed it. */
export type Anchor = { checkpoint: Checkpoint; trusted: boolean };

/** Where findings about a file's checkpoint are. */
export const AT_CHECKPOINT = "checkpoint";

export function readTrusted(keys: readonly string[]): VerifierKey[] {
  return [...new Set(keys)].map((text) => {
    const key = readVerifierKey(text);
    if (!key) throw new Unreadable(`${JSON.stringify(text)} is not a verifier key: name+hash+key`);
    return key;
  });
}

/** A file's own keys: hints, never trusted. */
export function readHints(keys: readonly unknown[], place: string, report: Report): VerifierKey[] {
  const read = [...new Set(keys)].map((text) => (typeof text === "string" ? readVerifierKey(text) : null));
  if (read.includes(null)) report("not_canonical", place, "keys has one that is no verifier key");
  return read.filter((key) => key !== null);
}

/** Reads a signed checkpoint of `log` and whose it is; null where it says nothing of this log. A key's name is the log's id. */
export function readAnchor(note: string, log: string, trusted: readonly VerifierKey[], hints: readonly VerifierKey[], report: Report): Anchor | null {
  const read = readNote(note);
  const checkpoint = read && readCheckpoint(read.text);
  if (!checkpoint) {
    report("not_canonical", AT_CHECKPOINT, "is not a signed checkpoint");
    return null;
  }
  if (checkpoint.origin !== log) {
    report("wrong_log", AT_CHECKPOINT, `is of ${checkpoint.origin}, not of ${log}`);
    return null;
  }
  const own = ({ name }: VerifierKey) => name === log;
  const given = openNote(read, trusted.filter(own));
  // What a hint says of a key that is trusted does not count.
  const hinted = openNote({ text: read.text, signatures: given.unknown }, hints.filter(own));
  const invalid = [...given.invalid, ...hinted.invalid];
  for (const { name, hash } of invalid) report("signature_invalid", AT_CHECKPOINT, `the signature by ${name}+${hash} does not fit what it signs`);
  const signers = trusted.length > 0 ? given.verified : hinted.verified;
  if (signers.length === 0 && invalid.length === 0 && trusted.length + hints.length > 0) {
    const by = read.signatures.map(({ name, hash }) => `${name}+${hash}`).join(", ");
    report("unknown_key", AT_CHECKPOINT, `is signed by ${by}, ${trusted.length > 0 ? "not by a key that is trusted here" : "not by a key that the file names"}`);
  }
  return { checkpoint, trusted: given.verified.length > 0 && invalid.length === 0 };
}
