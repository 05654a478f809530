import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOG, OPENING, seal, type Draft } from "../testing/log-builder";
import { Chain, type Stored } from "./chain";
import { readEntry } from "./entry";
import { leafHash } from "./leaf";
import { sha256 } from "./sha256";

const NOTE: Draft = { type: "shop.noted", actor: { kind: "system", id: "worker" }, subject: "x", data: { n: 1 } };
const drafts = [OPENING[0]!, ...Array.from({ length: 9 }, (_, n) => ({ ...NOTE, data: { n } }))];
const log = seal(drafts);
const hashOf = (bytes: string) => leafHash(sha256, bytes);

type Row = { bytes: string; stored?: Stored };
function check(rows: readonly Row[], head: string | null = null): string[] {
  const found: string[] = [];
  const chain = new Chain(LOG, (kind, place) => found.push(`${kind} @ ${place}`));
  for (const { bytes, stored } of rows) chain.push(readEntry(bytes).link, hashOf(bytes), stored ?? null);
  chain.end(head);
  return found;
}
const bare = (entries: readonly string[], head?: string) => check(entries.map((bytes) => ({ bytes })), head ?? null);
const edited = (at: number, edit: (bytes: string) => string, entries = log) => entries.map((bytes, n) => (n === at ? edit(bytes) : bytes));
const data = (bytes: string) => bytes.replace('"n":', '"n":7');
const prev = (bytes: string) => bytes.replace(/"prev":"\w{8}/, '"prev":"deadbeef');
const swapped = <T>(rows: readonly T[], at: number) => [...rows.slice(0, at), rows[at + 1]!, rows[at]!, ...rows.slice(at + 2)];

describe("a chain of entries alone", () => {
  it("finds nothing in an untouched log, or in none", () => {
    expect(bare(log)).toEqual([]);
    expect(bare([])).toEqual([]);
  });

  it.each<[string, readonly string[], string[]]>([
    ["an altered entry", edited(4, data), ["entry_altered @ entry 4"]],
    ["the first altered", edited(0, (bytes) => bytes.replace("setup", "worker")), ["entry_altered @ entry 0"]],
    ["two altered, apart", edited(2, data, edited(5, data)), ["entry_altered @ entry 2", "entry_altered @ entry 5"]],
    ["one that cannot be read", edited(4, () => "{"), ["entry_altered @ entry 4"]],
    ["an edited prev", edited(4, prev), ["link_broken @ entry 4"]],
    ["the first prev edited", edited(0, prev), ["link_broken @ entry 0"]],
    ["a log that begins with another prev", seal([{ ...drafts[0]!, prev: "1".repeat(64) }, ...drafts.slice(1)]), ["link_broken @ entry 0"]],
    ["the last prev edited", edited(9, prev), ["link_broken @ entry 9"]],
    ["the last but one altered", edited(8, data), ["link_broken @ entry 9"]],
    ["one deleted", log.filter((_, n) => n !== 4), ["seq_gap @ entry 5", "link_broken @ entry 5"]],
    ["several deleted", log.filter((_, n) => n < 3 || n > 5), ["seq_gap @ entry 6", "link_broken @ entry 6"]],
    ["the first deleted", log.slice(2), ["seq_gap @ entry 2", "link_broken @ entry 2"]],
    ["one deleted and one altered", edited(6, data, log).filter((_, n) => n !== 2), ["seq_gap @ entry 3", "link_broken @ entry 3", "entry_altered @ entry 6"]],
    ["two swapped", swapped(log, 4), ["seq_gap @ entry 5", "seq_gap @ entry 4", "link_broken @ entry 5", "link_broken @ entry 4"]],
    ["one doubled", [...log.slice(0, 5), ...log.slice(4)], ["seq_gap @ entry 4", "link_broken @ entry 4"]],
    ["a foreign one in its place", edited(4, () => seal([...drafts.slice(0, 3), NOTE, NOTE])[4]!), ["link_broken @ entry 4"]],
  ])("names %s", (_, entries, found) => {
    expect(bare(entries)).toEqual(found);
  });

  it("names time that goes backwards, and entries of another log", () => {
    const early = "2026-11-30T00:00:00.000Z";
    expect(bare(seal(drafts.map((draft, n) => (n === 4 ? { ...draft, at: early } : draft))))).toEqual(["time_reversed @ entry 4"]);
    expect(bare(seal(drafts.map((draft, n) => (n === 4 ? { ...draft, log: "undersigned/mer-Merchant02" } : draft))))).toEqual(["wrong_log @ entry 4"]);
  });

  it("cannot see the last entry altered: only a head can", () => {
    const entries = edited(9, data);
    expect(bare(entries)).toEqual([]);
    expect(bare(entries, hashOf(log[9]!))).toEqual(["link_broken @ head"]);
    expect(bare(log, hashOf(log[9]!))).toEqual([]);
  });

  it("finds any edit of any byte before the last entry, and blames it or its neighbour", () => {
    fc.assert(fc.property(fc.nat(8), fc.nat(400), (at, offset) => {
      const found = bare(edited(at, (bytes) => {
        const where = offset % bytes.length;
        return `${bytes.slice(0, where)}${bytes[where] === "0" ? "1" : "0"}${bytes.slice(where + 1)}`;
      }));
      expect(found.some((finding) => /^(entry_altered|link_broken)/.test(finding))).toBe(true);
    }));
  });
});

describe("with what a database keeps beside the bytes", () => {
  const rows: readonly Row[] = log.map((bytes, seq) => ({ bytes, stored: { seq, leafHash: hashOf(bytes) } }));
  const head = hashOf(log[9]!);
  const row = (at: number, edit: (row: Required<Row>) => Row, all = rows) => all.map((each, n) => (n === at ? edit(each as Required<Row>) : each));
  const bytesOf = (at: number, edit: (bytes: string) => string, all = rows) => row(at, (each) => ({ ...each, bytes: edit(each.bytes) }), all);
  const rehashed = ({ bytes, stored }: Required<Row>): Row => ({ bytes: data(bytes), stored: { ...stored, leafHash: hashOf(data(bytes)) } });

  it.each<[string, readonly Row[], string[]]>([
    ["nothing in an untouched log", rows, []],
    ["an altered entry", bytesOf(4, data), ["entry_altered @ entry 4"]],
    ["an altered entry at the tail", bytesOf(9, data), ["entry_altered @ entry 9"]],
    ["two altered beside each other", bytesOf(4, data, bytesOf(5, data)), ["entry_altered @ entry 4", "entry_altered @ entry 5"]],
    ["an edited prev as an alteration", bytesOf(4, prev), ["entry_altered @ entry 4"]],
    ["a stored hash that was edited", row(4, ({ bytes, stored }) => ({ bytes, stored: { ...stored, leafHash: "0".repeat(64) } })), ["state_mismatch @ entry 4"]],
    ["the last stored hash edited", row(9, ({ bytes, stored }) => ({ bytes, stored: { ...stored, leafHash: "0".repeat(64) } })), ["state_mismatch @ entry 9"]],
    ["an altered entry whose stored hash was made to fit", row(4, rehashed), ["entry_altered @ entry 4"]],
    ["the same at the tail", row(9, rehashed), ["link_broken @ head"]],
    ["rows that took each other's place", swapped(rows, 4).map(({ bytes, stored }, seq) => ({ bytes, stored: { ...stored!, seq } })),
      ["seq_gap @ entry 4", "seq_gap @ entry 5", "link_broken @ entry 4", "link_broken @ entry 5"]],
    ["bytes that took each other's place", row(4, ({ stored }) => ({ stored, bytes: log[5]! }), row(5, ({ stored }) => ({ stored, bytes: log[4]! }))),
      ["seq_gap @ entry 4", "seq_gap @ entry 5", "entry_altered @ entry 4", "entry_altered @ entry 5"]],
  ])("tells %s", (_, tampered, found) => {
    expect(check(tampered, head).toSorted()).toEqual(found.toSorted());
  });
});
