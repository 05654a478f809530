import { Chain, type Stored } from "./chain";
import { readEntry, type Entry } from "./entry";
import { atEntry, type Report } from "./finding";
import { leafHash, type Sha256 } from "./leaf";
import { Lifecycle } from "./lifecycle";
import type { Trims } from "./trims";

/** An unknown type of entry: it verifies as chain, and is told. */
export type Notice = { type: string; entries: number; first: string };

/** `seq` is the one that findings about the entry are told by. */
export type Checked = { entry: Entry | null; leafHash: string; seq: number };

/** Everything that a log's entries alone can show, one entry after the other. */
export class LogCheck {
  size = 0;
  private readonly chain: Chain;
  private readonly lifecycle: Lifecycle;
  private readonly unknown = new Map<string, Notice>();

  constructor(log: string, private readonly sha256: Sha256, private readonly report: Report) {
    this.chain = new Chain(log, report);
    this.lifecycle = new Lifecycle(report);
  }

  /** An entry's exact bytes, and what a database keeps beside them. */
  push(bytes: string, stored: Stored | null = null): Checked {
    const { entry, link, unknownType, fault } = readEntry(bytes);
    const hash = leafHash(this.sha256, bytes);
    const seq = this.chain.push(link, hash, stored);
    this.size += 1;
    if (fault) this.report("not_canonical", atEntry(seq), fault);
    if (entry) this.lifecycle.push(entry, seq);
    if (unknownType !== null) {
      const notice = this.unknown.get(unknownType) ?? { type: unknownType, entries: 0, first: atEntry(seq) };
      this.unknown.set(unknownType, { ...notice, entries: notice.entries + 1 });
    }
    return { entry, leafHash: hash, seq };
  }

  /** The policy version and the pause that the log ends with. */
  get policy(): number {
    return this.lifecycle.roster.policy;
  }
  get paused(): boolean {
    return this.lifecycle.roster.paused;
  }
  get trims(): Trims {
    return this.lifecycle.trims;
  }

  /** After the last entry; `headLeaf` is the hash that a database's head keeps of it. */
  end(headLeaf: string | null = null): Notice[] {
    if (this.size === 0) this.report("truncated", "entry 0", "has no entries; a log begins with log.opened");
    this.chain.end(headLeaf);
    return [...this.unknown.values()];
  }
}
