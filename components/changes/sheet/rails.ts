import type { ChangeView } from "@/lib/changes/view";
import { moneyText } from "@/components/ui/money";

/** A guardrail as it is shown. `percent` is the actual of the cap; `notch` where the cap lies if it was passed. */
export type Rail = {
  key: string;
  rule: string;
  words: string;
  standing: "within" | "close" | "over" | "more";
  /** "close", "£207.06 over", "1 more". */
  tag: string | null;
  actual: string | null;
  cap: string | null;
  percent: number;
  notch?: number;
};

const CLOSE = 80n;

const NUMBERS: Record<string, string> = {
  max_items_per_change: "Lines in one change", refund_window_days: "Days since payment", agent_daily_changes: "Agent’s changes that day", max_pending_per_agent: "Agent’s changes waiting",
};
const AMOUNTS: Record<string, string> = {
  max_refund_amount: "Refund amount", max_operator_refund_amount: "Refund amount, asked by a person", max_refund_pct: "Refunded of what was paid", refundable_remainder: "Left on the payment",
  agent_daily_refund_total: "Agent’s refunds that day", operator_daily_approved_total: "Your approvals today",
};

/** Every rule of the verdict in plain words: what was broken first, then what is closest to its cap. */
export function railsOf(change: Pick<ChangeView, "verdict" | "currency" | "required" | "have">): Rail[] {
  const seen = new Set<string>();
  const rails = change.verdict.rules.map((result, index): Rail => {
    const again = seen.has(result.rule);
    seen.add(result.rule);
    const base = { key: `${result.rule} ${index}`, rule: result.rule };
    if (result.rule === "refund_approvals") return { ...base, ...signatures(change, result.actual) };
    if (result.rule === "eligible_approvers") return { ...base, words: "Signatures needed, of people who may sign", ...signers(result) };
    const numbers = NUMBERS[result.rule];
    if (numbers && !again) return { ...base, words: numbers, ...measured(result, (value) => BigInt(value).toLocaleString("en-GB")) };
    const amounts = AMOUNTS[result.rule];
    if (amounts && !again) return { ...base, words: amounts, ...measured(result, (value) => moneyText(value, change.currency)) };
    return { ...base, words: unmeasured(result.rule, again), standing: result.ok ? "within" : "over", tag: null, actual: null, cap: null, percent: result.ok ? 0 : 100 };
  });
  return rails.toSorted((a, b) => rank(b) - rank(a) || b.percent - a.percent);
}

const rank = (rail: Rail): number => ({ over: 3, close: 2, more: 1, within: 0 })[rail.standing];

function unmeasured(rule: string, again: boolean): string {
  if (rule === "paused") return "This merchant is paused: nothing is applied";
  if (rule === "no_cap_for_currency") return "No cap is set for this currency, so it is refused";
  if (rule === "refundable_remainder" && again) return "A line asks for more than is left of it";
  return rule.replaceAll("_", " ");
}

function signatures(change: Pick<ChangeView, "currency" | "required" | "have">, total: string): Omit<Rail, "key" | "rule"> {
  const missing = Math.max(0, change.required - change.have);
  return {
    words: `Signatures, ${moneyText(total, change.currency)} in 30 days`,
    standing: missing > 0 ? "more" : "within",
    tag: missing > 0 ? `${missing} more` : null,
    actual: String(change.have),
    cap: String(change.required),
    percent: Math.min(100, (change.have * 100) / change.required),
  };
}

/** That all who may must sign is no breach, and nothing that grows closer to one. */
function signers({ cap, actual, ok }: { cap: string; actual: string; ok: boolean }): Omit<Rail, "key" | "rule" | "words"> {
  const missing = BigInt(actual) - BigInt(cap);
  const [most, is] = [Number(cap), Number(actual)];
  return ok
    ? { actual, cap, standing: "within", tag: null, percent: most > 0 ? (is * 100) / most : 0 }
    : { actual, cap, standing: "over", tag: `${missing} too few`, percent: 100, notch: (most * 100) / is };
}

function measured({ cap, actual, ok }: { cap: string; actual: string; ok: boolean }, say: (value: string) => string): Omit<Rail, "key" | "rule" | "words"> {
  const [most, is] = [BigInt(cap), BigInt(actual)];
  const figures = { actual: say(actual), cap: say(cap) };
  if (!ok) {
    return { ...figures, standing: "over", tag: `${say(String(is - most))} over`, percent: 100, notch: is > 0n ? Number((most * 1000n) / is) / 10 : 0 };
  }
  const percent = most > 0n ? (is * 100n) / most : 0n;
  return { ...figures, standing: percent >= CLOSE ? "close" : "within", tag: percent >= CLOSE ? "close" : null, percent: Number(percent) };
}
