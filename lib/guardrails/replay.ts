import type { RuleResult, Verdict, Violation } from "../kernel/verdict";
import { evaluate } from "./evaluate";
import type { ProposedRefund, RefundFacts } from "./rule";
import type { PublishedRules, RuleName } from "./schema";

/** A proposal of the past with the verdict it was given: amounts in minor units, `capturedMinor` of its payment then. */
export type Past = Pick<ProposedRefund, "by" | "currency" | "amountMinor"> & { capturedMinor: bigint; verdict: Verdict };

/** What a draft would have made of it: `refused` what was staged, `let_through` what was refused, `more` or `fewer` approvals, or the `same`. */
export const OUTCOMES = ["refused", "let_through", "more", "fewer", "same"] as const;
export type Outcome = (typeof OUTCOMES)[number];
export type Replayed = {
  outcome: Outcome;
  /** Approvals that were needed, and that would be; null where it was refused, or would be. */
  was: number | null;
  now: number | null;
  /** The first rule of the draft that it breaks. */
  broken: Violation | null;
  /** Rules of the draft that its verdict says nothing of, because they came later: left out. */
  unjudged: RuleName[];
};

/**
 * Judges a proposal of the past by a draft, on the figures it was judged on then. Each by itself: what the draft would have refused
 * before still counts in the agent's day. What a person approves in a day is not tried: it is judged when they approve.
 */
export function replay(draft: PublishedRules, past: Past): Replayed {
  const unjudged = past.by === "agent" ? OF_THE_DAY.filter((rule) => draft[rule] !== undefined && !found(past, rule)) : [];
  const rules = { ...draft, ...Object.fromEntries(unjudged.map((rule) => [rule, undefined])) };
  const { verdict, violations } = evaluate({ version: past.verdict.policy, rules }, proposedOf(past), factsOf(past));
  const was = past.verdict.outcome === "refuse" ? null : past.verdict.required;
  const now = verdict.outcome === "refuse" ? null : verdict.required;
  return { outcome: outcomeOf(was, now), was, now, broken: violations[0] ?? null, unjudged };
}

function outcomeOf(was: number | null, now: number | null): Outcome {
  if (was === now) return "same";
  if (now === null) return "refused";
  if (was === null) return "let_through";
  return now > was ? "more" : "fewer";
}

const OF_THE_DAY = ["agent_daily_refund_total", "agent_daily_changes", "max_pending_per_agent"] as const satisfies RuleName[];

const found = ({ verdict }: Pick<Past, "verdict">, rule: string): RuleResult | undefined => verdict.rules.find((result) => result.rule === rule);

/** The first finding of a rule is its own; others of the same name are parts that asked for too much, which no policy mends. */
function proposedOf(past: Past): ProposedRefund {
  const { by, currency, amountMinor, verdict } = past;
  const overdrawn = verdict.rules.filter((result, index) => !result.ok && verdict.rules.findIndex(({ rule }) => rule === result.rule) < index);
  return { by, currency, amountMinor, items: Number(found(past, "max_items_per_change")?.actual ?? 0), overdrawn: overdrawn.map(({ rule, cap, actual }) => ({ rule, path: "", cap, actual })) };
}

const DAY = 24 * 60 * 60 * 1000;
const EPOCH = new Date(0);

function factsOf(past: Past): RefundFacts {
  const actual = (rule: string): bigint => BigInt(found(past, rule)?.actual ?? 0);
  const remainingMinor = BigInt(found(past, "refundable_remainder")?.cap ?? 0);
  const taken = found(past, "max_refund_pct");
  const eligible = found(past, "eligible_approvers")?.cap;
  return {
    now: new Date(Number(actual("refund_window_days")) * DAY), paidAt: EPOCH, paused: found(past, "paused") !== undefined,
    capturedMinor: past.capturedMinor, remainingMinor,
    // Where that rule was not judged: what did not remain was taken, or disputed, which counts as taken here.
    takenMinor: taken ? BigInt(taken.actual) - past.amountMinor : past.capturedMinor - remainingMinor,
    orderTotalMinor: actual("refund_approvals"),
    velocity: past.by === "agent"
      ? { changes: Number(actual("agent_daily_changes")) - 1, refundMinor: actual("agent_daily_refund_total") - past.amountMinor, pending: Number(actual("max_pending_per_agent")) - 1 }
      : null,
    eligible: eligible === undefined ? null : Number(eligible), approvedTodayMinor: null,
  };
}
