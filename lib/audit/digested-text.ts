import { readCanonical } from "./canonical";
import type { Entry } from "./entry";
import { salt } from "./forms";
import type { Sha256 } from "./leaf";
import { anyText, object, optional } from "./shape";

const plain = object({ salt, text: anyText });
const profile = object({ email: optional(anyText), name: anyText, salt });

const NAMES = ["reasonDigest", "commentDigest", "nameDigest", "profileDigest"];

/** The digests of texts that an entry carries. */
export function textDigests({ data }: Entry): string[] {
  const digests: string[] = [];
  for (const name of NAMES) {
    const digest = (data as Record<string, unknown>)[name];
    if (typeof digest === "string") digests.push(digest);
  }
  return digests;
}

/** Why these bytes are not a text that some entry carries the digest of, or null. */
export function textFault(bytes: string, isCarried: (digest: string) => boolean, sha256: Sha256): string | null {
  const digest = sha256(bytes);
  if (!isCarried(digest)) return `hashes to ${digest}, which no entry carries`;
  const read = readCanonical(bytes);
  return read.fault ?? (plain.fault(read.value) && profile.fault(read.value));
}
