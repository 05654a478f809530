import type { Finding } from "../rule";
import type { MoneyCaps } from "../schema";

/** An amount against a cap by currency. A currency without a cap is refused: no cap is not an endless one. */
export function withinMoneyCap(rule: string, caps: MoneyCaps, currency: string, amountMinor: bigint, path = "/amount"): Finding {
  const cap = caps[currency];
  if (cap === undefined) return { rule: "no_cap_for_currency", path: "/currency", cap: "none", actual: currency, ok: false };
  return { rule, path, cap, actual: String(amountMinor), ok: amountMinor <= BigInt(cap) };
}
