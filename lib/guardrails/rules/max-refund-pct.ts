import type { Rule } from "../rule";

/** What all refunds of a payment may come to, in percent of what was captured: in minor units, a part of one is not granted. */
export const maxRefundPct: Rule = ({ max_refund_pct: percent }, change, facts) => {
  if (percent === undefined) return null;
  const cap = (facts.capturedMinor * BigInt(percent)) / 100n;
  const actual = facts.takenMinor + change.amountMinor;
  return { rule: "max_refund_pct", path: "/amount", cap: String(cap), actual: String(actual), ok: actual <= cap };
};
