import { readBundleLine, readHeader, Unreadable } from "./bundle";
import type { Hash } from "./bytes";
import { readCheckpoint, type Checkpoint } from "./checkpoint";
import { CompactRange } from "./compact-range";
import type { Report } from "./finding";
import { leafHash, type Sha256 } from "./leaf";
import { readNote } from "./note";

/** A log as it was seen before: an older bundle by its entries, a receipt by its checkpoint, or a checkpoint itself. Throws Unreadable. */
export async function readSince(lines: AsyncIterable<string> | Iterable<string>, sha256: Sha256): Promise<Checkpoint> {
  const read: string[] = [];
  let older: { origin: string; range: CompactRange } | null = null;
  for await (const line of lines) {
    if (older === null && read.length === 0 && line.startsWith('{"format":"undersigned-bundle/')) {
      older = { origin: readHeader(line).log, range: new CompactRange(sha256) };
    } else if (older === null) read.push(line);
    else if (readBundleLine(line).kind === "entry") older.range.append(leafHash(sha256, line));
    if (read.length > MAX_LINES) break;
  }
  if (older) return { origin: older.origin, size: older.range.size, root: older.range.root() };
  const note = readNote(signedIn(read));
  const checkpoint = note && readCheckpoint(note.text);
  if (!checkpoint) throw new Unreadable("It is neither a checkpoint nor a bundle nor a receipt");
  return checkpoint;
}

const MAX_LINES = 200;

function signedIn(lines: readonly string[]): string {
  try {
    const { checkpoint } = JSON.parse(lines.join("\n")) as { checkpoint?: unknown };
    return typeof checkpoint === "string" ? checkpoint : "";
  } catch {
    return `${lines.join("\n")}\n`; // a note: its lines were split
  }
}

/** Whether a log that is `size` long, with `root` over its first `since.size` entries, still has what was seen before. */
export function checkSince(since: Checkpoint, log: string, size: number, root: Hash | undefined, report: Report): void {
  if (since.origin !== log) report("wrong_log", "since", `is of ${since.origin}, not of ${log}`);
  else if (BigInt(size) < since.size) report("history_rewritten", `entry ${size}`, `has ${size} entries where ${since.size} were seen before`);
  else if (root !== since.root) report("history_rewritten", `entry ${since.size - 1n}`, `up to here the root is ${root}, and ${since.root} was seen before`);
}
