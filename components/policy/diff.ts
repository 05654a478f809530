import { formatAmount } from "@/lib/kernel/money";
import type { MoneyCaps, PublishedRules } from "@/lib/guardrails/schema";
import { RULES } from "./rules";

/** One figure that differs: `of` the currency or the tier. Null where the one or the other does not set it. */
export type Difference = { rule: string; of: string | null; was: string | null; now: string | null };

/** Where two policies differ, rule by rule in the order of the form. */
export function diffOf(was: PublishedRules, now: PublishedRules): Difference[] {
  return RULES.flatMap((each): Difference[] => {
    const { rule } = each;
    if (each.kind === "money") return differences(rule, amountsOf(was[each.rule]), amountsOf(now[each.rule]), was[each.rule] === undefined, now[each.rule] === undefined);
    if (each.kind === "tiers") return differences(rule, tiersOf(was), tiersOf(now));
    return differences(rule, numberOf(was[each.rule]), numberOf(now[each.rule]));
  });
}

type Figures = Record<string, string>;

function differences(rule: string, was: Figures, now: Figures, wasUnset = false, nowUnset = false): Difference[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(now)])].toSorted();
  const found = names.filter((name) => was[name] !== now[name]).map((name) => ({ rule, of: name === "" ? null : name, was: was[name] ?? null, now: now[name] ?? null }));
  return found.length === 0 && wasUnset !== nowUnset ? [{ rule, of: null, was: wasUnset ? null : "no currency", now: nowUnset ? null : "no currency" }] : found;
}

const amountsOf = (caps: MoneyCaps = {}): Figures => Object.fromEntries(Object.entries(caps).map(([currency, minor]) => [currency, formatAmount({ amountMinor: BigInt(minor), currency })]));
const numberOf = (value: number | undefined): Figures => (value === undefined ? {} : { "": value.toLocaleString("en-GB") });
const tiersOf = ({ refund_approvals }: PublishedRules): Figures =>
  Object.fromEntries(refund_approvals.map(({ approvals, up_to }, index) => [`tier ${index + 1}`, `${people(approvals)} ${up_to ? upTo(up_to) : "whatever the amount"}`]));

function upTo(caps: MoneyCaps): string {
  const ends = Object.entries(amountsOf(caps)).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([currency, amount]) => `${currency} ${amount}`);
  return ends.length === 0 ? "up to nothing" : `up to ${ends.join(", ")}`;
}

export const people = (count: number): string => (count === 1 ? "1 person" : `${count} people`);
