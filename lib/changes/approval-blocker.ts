import { formatMoney } from "../kernel/money";
import { Refusal } from "../kernel/refusal";
import { stateBlocker } from "./advance";
import type { Judgement } from "./judge";
import type { LoadedChange } from "./load";

/** The figures of a decision, as JCS text: what `factsDigest` digests. */
export type Seen = { digest: string; factsDigest: string };

/**
 * Why this person may not approve now, or null, in the order of I5: state, expiry, self, endorsed, digest, exceeds_refundable,
 * facts; then today's guardrails, the person's own day among them. The screen reads it; the verb enforces it under the lock.
 */
export function approvalBlocker(change: LoadedChange, personId: string, seen: Seen, judgement: Judgement, now: Date): Refusal | null {
  const blocked = stateBlocker(change, "approve") ?? expiryBlocker(change, now);
  if (blocked) return blocked;
  if (change.excludes.includes(personId)) return new Refusal("self_approval");
  if (change.approvals.some((approval) => approval.personId === personId)) return new Refusal("already_endorsed");
  if (change.digest !== seen.digest) return new Refusal("change_moved", { moved: [{ label: "Content", was: seen.digest, now: change.digest }] });
  const exceeds = exceedsBlocker(change, judgement);
  if (exceeds) return exceeds;
  if (judgement.factsDigest !== seen.factsDigest) return new Refusal("facts_moved");
  // What today's rules refuse would fail when it is applied.
  return judgement.violations.length > 0 ? new Refusal("guardrail_violation", { violations: judgement.violations }) : null;
}

/** Checked here as well as by the expiry job, so that a late job lets no stale change through. */
export const expiryBlocker = (change: Pick<LoadedChange, "expiresAt">, now: Date): Refusal | null =>
  change.expiresAt <= now ? new Refusal("change_already_expired") : null;

/** More than remains of the payment, of a line or of shipping; names what remains. */
function exceedsBlocker(change: LoadedChange, { remainingMinor, amountMinor, violations }: Judgement): Refusal | null {
  if (amountMinor > remainingMinor) {
    const remains = formatMoney({ amountMinor: remainingMinor > 0n ? remainingMinor : 0n, currency: change.currency });
    return new Refusal("exceeds_refundable", { detail: `${remains} remains, this change asks for ${formatMoney({ amountMinor, currency: change.currency })}` });
  }
  const line = violations.find(({ rule, path }) => rule === "refundable_remainder" && path !== "/amount");
  return line ? new Refusal("exceeds_refundable", { detail: `A line of this change is refunded by now: ${line.cap} remains of the ${line.actual} it asks for` }) : null;
}
