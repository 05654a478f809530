import { readBundleLine, readHeader, Unreadable, type Batches } from "./bundle";
import type { Hash } from "./bytes";
import { readCheckpoint, type Checkpoint } from "./checkpoint";
import { CompactRange } from "./compact-range";
import type { Report } from "./finding";
import { leafHash, type Sha256 } from "./leaf";
import { readNote } from "./note";

/** A log as it was seen before: an older bundle by its entries, a receipt by its checkpoint, or a checkpoint itself. Throws Unreadable. */
export async function readSince(batches: Batches, sha256: Sha256): Promise<Checkpoint> {
  const read: string[] = [];
  let older: OlderBundle | null = null;
  for await (const lines of batches) {
    for (const line of lines) {
      if (older) older.push(line);
      else if (read.length === 0 && line.startsWith('{"format":"undersigned-bundle/')) older = new OlderBundle(readHeader(line).log, sha256);
      else if (read.push(line) > MAX_LINES) throw new Unreadable(NOTHING_SEEN);
    }
  }
  if (older) return older.end();
  const note = readNote(signedIn(read));
  const checkpoint = note && readCheckpoint(note.text);
  if (!checkpoint) throw new Unreadable(NOTHING_SEEN);
  return checkpoint;
}

const NOTHING_SEEN = "It is neither a checkpoint nor a bundle nor a receipt";
const MAX_LINES = 200;

class OlderBundle {
  private readonly tree: CompactRange;

  constructor(private readonly log: string, private readonly sha256: Sha256) {
    this.tree = new CompactRange(sha256);
  }

  push(line: string): void {
    if (readBundleLine(line).kind === "entry") this.tree.append(leafHash(this.sha256, line));
  }

  end(): Checkpoint {
    return { origin: this.log, size: this.tree.size, root: this.tree.root() };
  }
}

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
