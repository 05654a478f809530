import { readCanonical } from "./canonical";
import type { Entry } from "./entry";
import { salt } from "./forms";
import type { Sha256 } from "./leaf";
import { object, optional, text } from "./shape";

const anyText = text(/^/, "a text");
const plain = object({ salt, text: anyText });
const profile = object({ email: optional(anyText), name: anyText, salt });

/** The digests of texts that an entry carries. */
export function textDigests({ data }: Entry): string[] {
  return [
    "reasonDigest" in data ? data.reasonDigest : undefined,
    "commentDigest" in data ? data.commentDigest : undefined,
    "nameDigest" in data ? data.nameDigest : undefined,
    "profileDigest" in data ? data.profileDigest : undefined,
  ].filter((digest) => digest !== undefined);
}

/** Why these bytes are not a text that some entry carries the digest of, or null. */
export function textFault(bytes: string, isCarried: (digest: string) => boolean, sha256: Sha256): string | null {
  const digest = sha256(bytes);
  if (!isCarried(digest)) return `hashes to ${digest}, which no entry carries`;
  const read = readCanonical(bytes);
  return read.fault ?? (plain.fault(read.value) && profile.fault(read.value));
}
