import type { TriedPage, TriedRow } from "@/lib/changes/try-policy";
import { OUTCOMES, type Outcome } from "@/lib/guardrails/replay";

/** What has come of a draft so far. Money in minor units, by currency. */
export type Trial = {
  done: number;
  total: number;
  rows: Record<Outcome, TriedRow[]>;
  money: Record<Outcome, Record<string, bigint>>;
  /** How many the draft would let be staged. */
  staged: number;
  /** For how many some rule could not be judged, and which rules. */
  unjudged: { count: number; rules: string[] };
};

const each = <T,>(make: () => T): Record<Outcome, T> => Object.fromEntries(OUTCOMES.map((outcome) => [outcome, make()])) as Record<Outcome, T>;

export const begun = (): Trial => ({ done: 0, total: 0, rows: each(() => []), money: each(() => ({})), staged: 0, unjudged: { count: 0, rules: [] } });

/** With one more page of the past. */
export function withPage(trial: Trial, { rows, total }: TriedPage): Trial {
  const next: Trial = { ...trial, done: trial.done + rows.length, total: total ?? trial.total, rows: { ...trial.rows }, money: { ...trial.money } };
  for (const outcome of OUTCOMES) {
    const found = rows.filter((row) => row.outcome === outcome);
    if (found.length === 0) continue;
    next.rows[outcome] = [...trial.rows[outcome], ...found];
    const sums = { ...trial.money[outcome] };
    for (const { currency, amountMinor } of found) sums[currency] = (sums[currency] ?? 0n) + BigInt(amountMinor);
    next.money[outcome] = sums;
  }
  next.staged += rows.filter(({ now }) => now !== null).length;
  const without = rows.filter(({ unjudged }) => unjudged.length > 0);
  next.unjudged = { count: trial.unjudged.count + without.length, rules: [...new Set([...trial.unjudged.rules, ...without.flatMap(({ unjudged }) => unjudged)])] };
  return next;
}

/** The currencies that occur, in order. */
export const currenciesOf = ({ money }: Trial): string[] => [...new Set(OUTCOMES.flatMap((outcome) => Object.keys(money[outcome])))].toSorted();
