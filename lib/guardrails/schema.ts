import { z } from "zod";

const Minor = z.string().regex(/^(0|[1-9][0-9]{0,15})$/);
/** From currency to minor units. A currency that is not in the map has no cap and is refused. */
export const MoneyCaps = z.record(z.string().regex(/^[A-Z]{3}$/), Minor);

/** The rules of a policy (DESIGN section 9), as they stand in `policy.published`. */
export const PolicyRules = z.strictObject({
  max_items_per_change: z.int().min(1).max(1000),
  max_refund_amount: MoneyCaps,
  refund_window_days: z.int().min(0).max(3650),
  /** Tiers in order: so many approvals up to an amount; the last has no end. */
  refund_approvals: z.array(z.strictObject({ approvals: z.int().min(1).max(9), up_to: MoneyCaps.optional() })).min(1),
  expires_after_hours: z.int().min(1).max(720),
  undo_seconds: z.int().min(0).max(3600),
});
export type PolicyRules = z.infer<typeof PolicyRules>;

export type Policy = { version: number; rules: PolicyRules };

export const DEFAULT_RULES: PolicyRules = {
  max_items_per_change: 25,
  max_refund_amount: { EUR: "50000", GBP: "50000", USD: "50000" },
  refund_window_days: 90,
  refund_approvals: [{ approvals: 1, up_to: { EUR: "10000", GBP: "10000", USD: "10000" } }, { approvals: 2 }],
  expires_after_hours: 168,
  undo_seconds: 8,
};
