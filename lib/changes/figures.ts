import { z } from "zod";
import { sha256Hex } from "../kernel/digest";
import { formatMoney } from "../kernel/money";
import { Refusal } from "../kernel/refusal";

const Minor = z.string().regex(/^\d{1,18}$/);
const Figures = z.object({
  captured: Minor, disputed: Minor, taken: Minor, policy: z.int(), required: z.int(), lines: z.array(z.tuple([z.string(), z.string()])),
});
type Figures = z.infer<typeof Figures>;
type Shown = { seenFactsDigest: string; seenFigures?: string };

/** Adds old and new figures to a refusal because something moved. The old ones are what the form says it showed, if their digest agrees. */
export function withMovedFigures(refusal: Refusal, shown: Shown, now: string, currency: string): Refusal {
  if (refusal.code !== "facts_moved" && refusal.code !== "exceeds_refundable") return refusal;
  const was = shown.seenFigures !== undefined && sha256Hex(shown.seenFigures) === shown.seenFactsDigest ? parse(shown.seenFigures) : null;
  const is = parse(now);
  if (!was || !is) return refusal;
  const money = (minor: bigint) => formatMoney({ amountMinor: minor, currency });
  const remaining = (figures: Figures) => BigInt(figures.captured) - BigInt(figures.taken) - BigInt(figures.disputed);
  const compared: [string, string, string][] = [
    ["Remaining", money(remaining(was)), money(remaining(is))],
    ["Paid", money(BigInt(was.captured)), money(BigInt(is.captured))],
    ["Refunded or held", money(BigInt(was.taken)), money(BigInt(is.taken))],
    ["Disputed", money(BigInt(was.disputed)), money(BigInt(is.disputed))],
    ["Approvals needed", String(was.required), String(is.required)],
    ["Policy version", String(was.policy), String(is.policy)],
  ];
  const moved = compared.filter(([, old, current]) => old !== current).map(([label, old, current]) => ({ label, was: old, now: current }));
  return new Refusal(refusal.code, { ...refusal.more, moved });
}

function parse(text: string): Figures | null {
  try {
    return Figures.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
