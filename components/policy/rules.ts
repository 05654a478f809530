import type { PolicyRules } from "@/lib/guardrails/schema";

// Every rule as the sentence that it is. The figure stands between the two halves.

export type MoneyRule = "max_refund_amount" | "max_operator_refund_amount" | "agent_daily_refund_total" | "operator_daily_approved_total";
export type NumberRule = Exclude<keyof PolicyRules, MoneyRule | "refund_approvals">;

export type Sentence = { before: string; after: string; /** What an empty field means, where it may be empty. */ empty?: string };
type Rule = ({ kind: "money"; rule: MoneyRule } | { kind: "number"; rule: NumberRule } | { kind: "tiers"; rule: "refund_approvals" }) & Sentence;

export const GROUPS: readonly { title: string; rules: readonly Rule[] }[] = [
  {
    title: "What may be asked for",
    rules: [
      { kind: "money", rule: "max_refund_amount", before: "An agent may ask for at most", after: "per refund." },
      { kind: "money", rule: "max_operator_refund_amount", before: "A person may ask for at most", after: "per refund." },
      { kind: "number", rule: "max_refund_pct", before: "All refunds of a payment come to at most", after: "percent of what was paid.", empty: "no cap but what was paid" },
      { kind: "number", rule: "max_items_per_change", before: "A refund has at most", after: "lines." },
      { kind: "number", rule: "refund_window_days", before: "A payment can be refunded for", after: "days." },
    ],
  },
  { title: "Who must sign", rules: [{ kind: "tiers", rule: "refund_approvals", before: "By what an order’s refunds of 30 days come to", after: "" }] },
  {
    title: "In a day",
    rules: [
      { kind: "money", rule: "agent_daily_refund_total", before: "An agent may ask for at most", after: "in a day." },
      { kind: "number", rule: "agent_daily_changes", before: "An agent may ask for at most", after: "changes in a day." },
      { kind: "number", rule: "max_pending_per_agent", before: "At most", after: "changes of an agent wait at once." },
      { kind: "money", rule: "operator_daily_approved_total", before: "A person may approve at most", after: "in a day." },
    ],
  },
  {
    title: "How long",
    rules: [
      { kind: "number", rule: "undo_seconds", before: "An approval can be taken back for", after: "seconds, then it takes effect." },
      { kind: "number", rule: "expires_after_hours", before: "A change that nobody decides expires after", after: "hours." },
    ],
  },
];

export const RULES = GROUPS.flatMap(({ rules }) => rules);
export const MONEY_RULES = RULES.filter((each) => each.kind === "money").map(({ rule }) => rule);
export const NUMBER_RULES = RULES.filter((each) => each.kind === "number").map(({ rule }) => rule);

/** "An agent may ask for at most … per refund" */
export function sentenceOf(rule: string): string {
  const found = RULES.find((each) => each.rule === rule);
  return found ? [found.before, found.after.replace(/\.$/, "")].filter(Boolean).join(found.after ? " … " : "") : rule;
}
