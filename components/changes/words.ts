import type { ChangeView, DecisionState } from "@/lib/changes/view";
import { REFUSALS, type RefusalCode } from "@/lib/kernel/refusal";
import { moneyText } from "@/components/ui/money";
import { railsOf } from "./sheet/rails";

/** "not_received" → "not received" */
export const plainCode = (code: string): string => code.replaceAll("_", " ");

/** "Maya Lindqvist or Priya Nair" */
const eitherOf = (names: readonly string[]): string => new Intl.ListFormat("en-GB", { type: "disjunction" }).format(names);

const MAY_NOT: Partial<Record<RefusalCode, string>> = {
  self_approval: "You made this agent’s key, so you may not approve this.",
  already_endorsed: "You have signed this. Another person must sign too.",
  forbidden: "Your role reads changes and signs none.",
  exceeds_refundable: "This asks for more than remains on the payment, so it cannot be signed.",
  guardrail_violation: "A guardrail refuses this today, so it cannot be signed.",
};

/** Why the viewer may not sign, and who can. */
export function blockedWords(code: RefusalCode, whoCan: readonly string[]): string {
  const why = MAY_NOT[code] ?? `${REFUSALS[code].title}.`;
  return whoCan.length > 0 ? `${why} ${eitherOf(whoCan)} can.` : why;
}

const NOT_DONE = { approve: "Not signed.", reject: "Not rejected.", retract: "Not taken back.", retry: "Not tried again.", withdraw: "Not withdrawn." } as const;
export type Deed = keyof typeof NOT_DONE;

/** A rejection's code enters the log; its reason is kept beside, under a digest. */
export type Rejection = { code: string; reason: string };

export const notDone = (deed: Deed): string => NOT_DONE[deed];

type Refused = Extract<DecisionState, { status: "refused" }>;

/** What was refused and why, old and new figures, and the consequence. */
export function refusedWords({ code, message, moved }: Refused): { why: string; figures: string; consequence: string } {
  const decided = code.startsWith("change_already_");
  return { why: sentence(message), figures: movedWords(moved), consequence: decided ? "Nothing changed." : "No money moved." };
}

/** "Remaining was £100.00, is now £40.00." */
export const movedWords = (moved: readonly { label: string; was: string; now: string }[]): string =>
  moved.map(({ label, was, now }) => `${label} was ${was}, is now ${now}.`).join(" ");

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const CAUSES: Record<string, string> = {
  guardrail_violation: "A guardrail refuses it on today’s rules and figures.",
  exceeds_refundable: "The payment has less left than this asks for.",
  facts_moved: "The order moved after it was approved.",
  quorum_not_met: "Today’s rules ask for more approvals.",
};

/** "Days since payment: 91 of 90" */
function brokenRule({ currency }: Pick<ChangeView, "currency">, rule: string, cap: string, actual: string): string {
  const [rail] = railsOf({ currency, required: 1, have: 0, verdict: { outcome: "refuse", required: 1, policy: 0, rules: [{ rule, cap, actual, ok: false }] } });
  return rail?.actual ? `${rail.words}: ${rail.actual} of ${rail.cap}` : plainCode(rule);
}

/** Why applying failed, and what did not happen. */
export function failureWords(change: Pick<ChangeView, "failure" | "amountMinor" | "currency">): string {
  const { failure } = change;
  if (!failure) return "";
  const why = failure.rule === "paused" ? "The merchant was paused." : CAUSES[failure.cause] ?? (failure.cause in REFUSALS ? `${REFUSALS[failure.cause as RefusalCode].title}.` : `Cause: ${plainCode(failure.cause)}.`);
  const rule = failure.rule && failure.rule !== "paused" && failure.cap && failure.actual ? ` ${brokenRule(change, failure.rule, failure.cap, failure.actual)}.` : "";
  return `${why}${rule} No money moved; the hold of ${moneyText(change.amountMinor, change.currency)} is released.`;
}
