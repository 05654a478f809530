import type { DiffLine } from "@/lib/changes/view";

const FACTOR = 5n;
/** A change of this many lines is taken in at a glance. */
const FEW = 25;

/** Largest money first. */
export const largestFirst = (lines: readonly DiffLine[]): DiffLine[] =>
  lines.toSorted((a, b) => compare(BigInt(b.amountMinor), BigInt(a.amountMinor)));

/** Targets whose amount is at least five times the middle one, where there are too many lines to see it at a glance. */
export function outliersOf(lines: readonly DiffLine[]): ReadonlySet<string> {
  if (lines.length <= FEW) return new Set();
  const amounts = lines.map((line) => BigInt(line.amountMinor)).toSorted(compare);
  const middle = amounts[Math.floor(amounts.length / 2)] ?? 0n;
  return new Set(middle > 0n ? lines.filter((line) => BigInt(line.amountMinor) >= middle * FACTOR).map((line) => line.target) : []);
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
