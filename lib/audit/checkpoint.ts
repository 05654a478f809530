import { hashFromBase64, hashToBase64, uint64, type Hash } from "./bytes";

/** C2SP tlog-checkpoint: what a log signs. `origin` is the log's id. */
export type Checkpoint = { origin: string; size: bigint; root: Hash };

/** The text of a note. */
export const writeCheckpoint = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${hashToBase64(root)}\n`;

/** null where the text of a note is no checkpoint. Extension lines are passed over, as the format wants. */
export function readCheckpoint(text: string): Checkpoint | null {
  const [origin, count, hash, ...rest] = text.split("\n");
  const size = uint64(count ?? "");
  const root = hashFromBase64(hash ?? "");
  if (!origin || size === null || root === null || rest.pop() !== "" || rest.includes("")) return null;
  return { origin, size, root };
}
