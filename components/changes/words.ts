import type { ChangeView, DecisionState, MayNot } from "@/lib/changes/view";
import { REFUSALS, type RefusalCode } from "@/lib/kernel/refusal";
import { allOf, eitherOf } from "@/lib/browser/lists";
import { moneyText } from "@/components/ui/money";
import { railsOf } from "./sheet/rails";

/** "not_received" → "not received" */
export const plainCode = (code: string): string => code.replaceAll("_", " ");

const MAY_NOT: Partial<Record<RefusalCode, string>> = {
  self_approval: "You may not approve this.",
  already_endorsed: "You have signed this. Another person must sign too.",
  forbidden: "Your role reads changes and signs none.",
  exceeds_refundable: "This asks for more than remains of the payment, or of one of its lines, so it cannot be signed.",
  guardrail_violation: "A guardrail refuses this today, so it cannot be signed.",
};

/** What stops this person and not another. */
const PERSONAL: ReadonlySet<RefusalCode> = new Set(["self_approval", "already_endorsed", "forbidden"]);

/** Why the viewer may not sign, and who can. */
export function blockedWords(code: RefusalCode, whoCan: readonly string[], because?: MayNot["because"]): string {
  const why = code === "self_approval" && because ? `You ${becauseWords(because)}, so you may not approve this.` : MAY_NOT[code] ?? `${REFUSALS[code].title}.`;
  return PERSONAL.has(code) && whoCan.length > 0 ? `${why} ${eitherOf(whoCan)} can.` : why;
}

const WITH_KEY = { owns_key: "own", made_key: "made", rotated_key: "rotated", had_key: "had" } as const;

/** "proposed it", "own and made the agent’s key": after "you" or "they". */
export function becauseWords(because: MayNot["because"]): string {
  const deeds = because.flatMap((each) => (each === "proposed" ? [] : WITH_KEY[each]));
  const key = deeds.length > 0 ? [`${allOf(deeds)} the agent’s key${because.includes("had_key") ? " before" : ""}`] : [];
  return allOf([...(because.includes("proposed") ? ["proposed it"] : []), ...key]);
}

const NOT_DONE = { approve: "Not signed.", trim: "Not lowered, not signed.", reject: "Not rejected.", retract: "Not taken back.", retry: "Not tried again.", withdraw: "Not withdrawn.", schedule: "No time was set." } as const;
export type Deed = keyof typeof NOT_DONE;

/** A rejection's code enters the log; its reason is kept beside, under a digest. */
export type Rejection = { code: string; reason: string };

/** When an approved change is applied: a time of a clock in a zone, next, or at no time yet. */
export type Timing = { when: "at"; local: string; zone: string } | { when: "none" | "next" };

/** What is left of each item that is lowered, as it was typed. */
export type Trim = { lowered: Record<string, string> };

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

/** "Days since payment: 91 of 90" */
export function brokenRule(currency: string, rule: string, cap: string, actual: string): string {
  const [rail] = railsOf({ currency, required: 1, have: 0, verdict: { outcome: "refuse", required: 1, policy: 0, rules: [{ rule, cap, actual, ok: false }] } });
  return rail?.actual ? `${rail.words}: ${rail.actual} of ${rail.cap}` : (rail?.words ?? plainCode(rule));
}

function failureCause({ cause, rule, cap, actual }: NonNullable<ChangeView["failure"]>, currency: string): string {
  if (rule === "paused") return "The merchant was paused.";
  if (cause === "quorum_not_met") return `Today’s rules ask for ${cap ?? "more"} signatures, and it has ${actual ?? "fewer"}.`;
  if (cause === "platform_moved" && cap) return `Less is left on the platform than this asks for: ${moneyText(cap, currency)}.`;
  if (rule && cap && actual) return `A guardrail refuses it today. ${brokenRule(currency, rule, cap, actual)}.`;
  if (cause === "platform_refused") return `The platform refused it${rule ? `: ${plainCode(rule)}` : ""}.`;
  return cause in REFUSALS ? `${REFUSALS[cause as RefusalCode].title}.` : `Cause: ${plainCode(cause)}.`;
}

type Paid = Pick<ChangeView, "paidMinor" | "amountMinor" | "currency">;

/** What of a change that is not applied went out all the same: nothing, or the items that were done before one was refused. */
export const paidWords = ({ paidMinor, amountMinor, currency }: Paid): string =>
  paidMinor === "0" ? "No money moved." : `${moneyText(paidMinor, currency)} of ${moneyText(amountMinor, currency)} went out before.`;

/** Why applying failed, and what did not happen. */
export function failureWords({ failure, ...change }: Pick<ChangeView, "failure"> & Paid): string {
  if (!failure) return "";
  const held = moneyText(String(BigInt(change.amountMinor) - BigInt(change.paidMinor)), change.currency);
  return `${failureCause(failure, change.currency)} ${paidWords(change)} The hold of ${held} is released.`;
}
