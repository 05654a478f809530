import { parseMoney, toDecimal } from "@/lib/kernel/money";
import { PolicyRules, type MoneyCaps, type PublishedRules } from "@/lib/guardrails/schema";
import { MONEY_RULES, NUMBER_RULES, type MoneyRule, type NumberRule } from "./rules";

/** A policy as it is typed: every figure is the text of its field. */
export type Draft = {
  /** What the form has fields for; one that stands in no map is refused. */
  currencies: string[];
  /** Null: not set, as in a version that is older than the rule. An empty text is no cap: that currency is refused. */
  money: Record<MoneyRule, Record<string, string> | null>;
  numbers: Record<NumberRule, string>;
  /** `upTo` null: whatever the amount. */
  tiers: { approvals: string; upTo: Record<string, string> | null }[];
};

const textOf = (caps: MoneyCaps): Record<string, string> =>
  Object.fromEntries(Object.entries(caps).map(([currency, minor]) => [currency, toDecimal({ amountMinor: BigInt(minor), currency })]));

/** Fills the fields with rules. */
export function draftOf(rules: PublishedRules): Draft {
  const maps = [...MONEY_RULES.map((rule) => rules[rule]), ...rules.refund_approvals.map(({ up_to }) => up_to)];
  return {
    currencies: [...new Set(maps.flatMap((caps) => Object.keys(caps ?? {})))].toSorted(),
    money: Object.fromEntries(MONEY_RULES.map((rule) => [rule, rules[rule] ? textOf(rules[rule]) : null])) as Draft["money"],
    numbers: Object.fromEntries(NUMBER_RULES.map((rule) => [rule, rules[rule] === undefined ? "" : String(rules[rule])])) as Draft["numbers"],
    tiers: rules.refund_approvals.map(({ approvals, up_to }) => ({ approvals: String(approvals), upTo: up_to ? textOf(up_to) : null })),
  };
}

/** "1,000.50" as its minor units; what is no amount of the currency stays as it was typed, for the schema to refuse. */
function minorOf(text: string, currency: string): string {
  const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
  try {
    return String(parseMoney(plain, currency).amountMinor);
  } catch {
    return text;
  }
}

const capsOf = (texts: Record<string, string>): MoneyCaps =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== "").map(([currency, text]) => [currency, minorOf(text.trim(), currency)]));

const numberOf = (text: string): number | string => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : text);

/** The draft as a policy would be published, with what does not fit left as it was typed. */
export function candidateOf({ money, numbers, tiers }: Draft): Record<string, unknown> {
  const set = <T, U>(entries: [string, T][], isSet: (value: T) => boolean, read: (value: T) => U) => Object.fromEntries(entries.filter(([, value]) => isSet(value)).map(([name, value]) => [name, read(value)]));
  return {
    ...set(Object.entries(money), (caps) => caps !== null, (caps) => capsOf(caps!)),
    ...set(Object.entries(numbers), (text) => text.trim() !== "", numberOf),
    refund_approvals: tiers.map(({ approvals, upTo }) => ({ approvals: numberOf(approvals), ...(upTo && { up_to: capsOf(upTo) }) })),
  };
}

export type Read = { rules: PolicyRules; errors: Errors } | { rules: null; errors: Errors };
/** By the place in the policy, "refund_approvals.0.up_to.GBP": what is wrong there. */
export type Errors = Readonly<Record<string, string>>;

/** A draft's rules, or where and why they are none. */
export const readDraft = (draft: Draft): Read => readRules(candidateOf(draft));

export function readRules(candidate: unknown): Read {
  const parsed = PolicyRules.safeParse(candidate);
  if (parsed.success) return { rules: parsed.data, errors: {} };
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    for (const path of issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]) errors[path.join(".")] ??= wordsFor(issue, at(candidate, path));
  }
  return { rules: null, errors };
}

type Issue = { code: string; message: string; minimum?: number | bigint; maximum?: number | bigint; path: PropertyKey[] };

function wordsFor(issue: Issue, value: unknown): string {
  if (issue.code === "unrecognized_keys") return "no rule of ours";
  if (value === undefined && issue.code === "invalid_type") return "not set yet";
  if (issue.code === "too_big") return `at most ${String(issue.maximum)}`;
  if (issue.code === "too_small") return `at least ${String(issue.minimum)}`;
  if (issue.code === "invalid_type") return "a whole number";
  return issue.message.startsWith("an amount in minor units") ? "no amount of this currency" : issue.message;
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown => path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);

/** An older version as a draft. Rules that came after it stay as they are in force: `kept`. */
export function rollBackTo(older: PublishedRules, inForce: PublishedRules): { draft: Draft; kept: string[] } {
  const kept = Object.keys(inForce).filter((rule) => rule !== "max_refund_pct" && !(rule in older));
  return { draft: draftOf({ ...inForce, max_refund_pct: undefined, ...older }), kept };
}

/** Whether an agent could still propose anything in any currency, as far as the caps alone can tell. */
export function refusesEverything({ max_refund_amount, agent_daily_refund_total, agent_daily_changes, max_pending_per_agent }: PolicyRules): boolean {
  const open = Object.entries(max_refund_amount).filter(([currency, cap]) => BigInt(cap) > 0n && BigInt(agent_daily_refund_total[currency] ?? "0") > 0n);
  return open.length === 0 || agent_daily_changes === 0 || max_pending_per_agent === 0;
}

export const emptyTier = (): Draft["tiers"][number] => ({ approvals: "", upTo: null });
