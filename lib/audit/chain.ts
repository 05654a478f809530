import type { Link } from "./entry";
import { ofEntries, type Report, type ReportEntry } from "./finding";
import { NO_LEAF } from "./leaf";

/** What a database keeps beside an entry's bytes: a second witness. */
export type Stored = { seq: number; leafHash: string };

/** The entry before: the hash of its bytes, and the hash that was stored where the two differ. */
type Kept = { place: number; hash: string; storedOtherwise: string | null };

/** Links that disagree, one after another: the entry before the first, the last of them, how many, whether the first lies across a gap. */
type Break = { before: number | null; place: number; detail: string; count: number; gap: boolean };

/**
 * Checks `seq`, `at`, `log` and `prev` of entries as they come, in flat memory.
 *
 * A `prev` that disagrees blames one of two entries. Where it stands alone between links that hold, the entry before it was
 * altered. Across a gap, at the end, or where several follow each other, no more can be said than where the chain is broken.
 */
export class Chain {
  private due = 0;
  /** What is due otherwise: where an entry's number left a gap, either it is wrong or the ones before it are missing, and the next one tells. */
  private dueOtherwise = 0;
  private at = "";
  private last: Kept | null = null;
  private broken: Break | null = null;

  private readonly report: ReportEntry;

  constructor(private readonly log: string, private readonly reportAt: Report) {
    this.report = ofEntries(reportAt);
  }

  /** `link` is null where the bytes could not be read. Returns the seq by which the entry is told of. */
  push(link: Link | null, hash: string, stored: Stored | null = null): number {
    const seq = link?.seq ?? this.due;
    const place = stored?.seq ?? seq;
    const gap = this.sequence(seq, place);
    if (link) this.context(link, place, gap);
    const storedOtherwise = stored && stored.leafHash !== hash ? stored.leafHash : null;
    this.link(link?.prev ?? null, { place, hash, storedOtherwise }, gap);
    return place;
  }

  /** After the last entry. `leaf` is the hash that a log's head keeps of it. */
  end(leaf: string | null = null): void {
    const altered = this.judgeLast(leaf);
    const hash = this.last?.hash ?? NO_LEAF;
    if (leaf !== null && leaf !== hash && !altered) this.reportAt("link_broken", "head", `the last entry hashes to ${hash}, the head says ${leaf}`);
    this.settle(true);
  }

  private sequence(seq: number, place: number): boolean {
    const gap = seq !== this.due && seq !== this.dueOtherwise;
    if (gap) this.report("seq_gap", place, `seq is ${seq} where ${this.due} is due`);
    this.dueOtherwise = seq + 1;
    this.due = gap ? this.due + 1 : seq + 1;
    return gap;
  }

  private context(link: Link, place: number, gap: boolean): void {
    if (link.log !== this.log) this.report("wrong_log", place, `belongs to ${link.log}, not to ${this.log}`);
    // An entry that is out of its order is out of its time too: one fault, one name.
    if (link.at < this.at && !gap) this.report("time_reversed", place, `${link.at} is before ${this.at}`);
    this.at = link.at;
  }

  private link(prev: string | null, entry: Kept, gap: boolean): void {
    const altered = this.judgeLast(prev);
    const hash = this.last?.hash ?? NO_LEAF;
    // An entry that is known to be altered explains the links on both its sides.
    if (prev === null || prev === hash || altered || entry.storedOtherwise !== null) this.settle(false);
    else this.breaks(entry.place, gap, `prev is ${prev}, the entry before hashes to ${hash}`);
    this.last = entry;
  }

  /** Where the last entry's bytes and its stored hash differ, what follows says which of the two was changed. True: the bytes. */
  private judgeLast(prev: string | null): boolean {
    if (!this.last?.storedOtherwise) return false;
    const { place, hash, storedOtherwise } = this.last;
    const bytes = prev !== hash;
    this.report(bytes ? "entry_altered" : "state_mismatch", place, `hashes to ${hash}, its stored leaf_hash is ${storedOtherwise}`);
    return bytes;
  }

  private breaks(place: number, gap: boolean, detail: string): void {
    // A second break in a row: the entry between disagrees with both neighbours.
    if (this.broken) this.report("link_broken", this.broken.place, this.broken.detail);
    this.broken = this.broken
      ? { ...this.broken, place, detail, count: this.broken.count + 1 }
      : { before: this.last?.place ?? null, place, detail, count: 1, gap };
  }

  private settle(atEnd: boolean): void {
    const found = this.broken;
    this.broken = null;
    if (!found || found.count > 1) return;
    if (found.before === null || found.gap || atEnd) this.report("link_broken", found.place, found.detail);
    else this.report("entry_altered", found.before, `at entry ${found.place}, ${found.detail}`);
  }
}
