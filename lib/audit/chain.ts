import type { Link } from "./entry";
import { atEntry, type Report } from "./finding";
import { NO_LEAF } from "./leaf";

/** What a database kept beside an entry's bytes: a second witness. */
export type Stored = { seq: number; leafHash: string };

type Kept = { place: string; hash: string; stored: string | null };

/**
 * Checks `seq`, `at`, `log` and `prev` of entries as they come, in flat memory.
 *
 * A `prev` that disagrees blames one of two entries. Where it stands alone between links that hold, the entry before it was altered.
 * Where it lies across a gap or at the end, or several follow each other, no more can be said than where the chain is broken.
 */
export class Chain {
  private due = [0];
  private at = "";
  private before: Kept | null = null;
  /** Links that disagree, one after another: the entry before the first, the last of them, how many. */
  private broken: { before: string | null; place: string; detail: string; count: number; gap: boolean } | null = null;

  constructor(private readonly log: string, private readonly report: Report) {}

  /** `link` is null where the bytes could not be read. Returns the entry's place. */
  push(link: Link | null, hash: string, stored: Stored | null = null): string {
    const place = atEntry(stored?.seq ?? link?.seq ?? this.due[0]!);
    const gap = link !== null && this.sequence(link, place);
    if (link) {
      if (link.log !== this.log) this.report("wrong_log", place, `belongs to ${link.log}, not to ${this.log}`);
      if (link.at < this.at) this.report("time_reversed", place, `${link.at} is before ${this.at}`);
      this.at = link.at;
    } else {
      this.due = [this.due[0]! + 1];
    }
    this.link(link?.prev ?? null, place, gap, stored !== null && stored.leafHash !== hash);
    this.before = { place, hash, stored: stored?.leafHash ?? null };
    return place;
  }

  /** After the last entry. `leaf` is what a head says of it. */
  end(leaf: string | null = null): void {
    this.settleAlteration(leaf);
    if (leaf !== null && this.before && leaf !== this.before.hash && !this.altered) {
      this.report("entry_altered", this.before.place, `hashes to ${this.before.hash}, the head says ${leaf}`);
    }
    this.settle(true);
  }

  private sequence(link: Link, place: string): boolean {
    const gap = !this.due.includes(link.seq);
    if (gap) this.report("seq_gap", place, `seq is ${link.seq} where ${this.due[0]} is due`);
    // After a gap either this entry's number is wrong or the ones before it are missing: the next entry tells.
    this.due = gap ? [this.due[0]! + 1, link.seq + 1] : [link.seq + 1];
    return gap;
  }
}
