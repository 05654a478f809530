import { fromBase64, hashFromBase64, hashToBase64, uint64, type Hash } from "./bytes";

/** Hashes as `{"proof":[…]}` and a receipt carry them. */
export const writeProof = (hashes: readonly Hash[]): string[] => hashes.map(hashToBase64);

/** No proof is longer: a tree has at most 2⁶⁴ leaves, and a consistency proof one hash more than it is high. */
const MAX_HASHES = 65;

/** null where it is not a list of hashes. */
export function readProof(value: unknown): Hash[] | null {
  if (!Array.isArray(value) || value.length > MAX_HASHES) return null;
  const hashes = value.map((text) => (typeof text === "string" ? hashFromBase64(text) : null));
  return hashes.includes(null) ? null : (hashes as Hash[]);
}

/** C2SP tlog-proof: an entry's inclusion under a checkpoint (a signed note), as other tools read it. */
export type TlogProof = { index: bigint; hashes: Hash[]; checkpoint: string; extra: Uint8Array | null };

/** null where it is none. */
export function readTlogProof(text: string): TlogProof | null {
  const end = text.indexOf("\n\n");
  const [version, ...lines] = text.slice(0, end).split("\n");
  if (end < 0 || version !== "c2sp.org/tlog-proof@v1") return null;
  const extra = lines[0]?.startsWith("extra ") ? fromBase64(lines.shift()!.slice("extra ".length)) : undefined;
  const index = lines[0]?.startsWith("index ") ? uint64(lines.shift()!.slice("index ".length)) : null;
  const hashes = readProof(lines);
  const checkpoint = text.slice(end + 2);
  if (extra === null || index === null || hashes === null || checkpoint === "") return null;
  return { index, hashes, checkpoint, extra: extra ?? null };
}

/** `checkpoint` is a signed note. */
export const writeTlogProof = (index: bigint, hashes: readonly Hash[], checkpoint: string): string =>
  ["c2sp.org/tlog-proof@v1", `index ${index}`, ...writeProof(hashes), "", checkpoint].join("\n");
