import { z } from "zod";

const Minor = z.string("an amount in minor units").regex(/^(0|[1-9][0-9]{0,15})$/, "an amount in minor units, at most 16 digits");
const Currency = z.string().regex(/^[A-Z]{3}$/, "three capital letters");

/** From currency to minor units. A currency that is not in the map has no cap and is refused. */
export const MoneyCaps = z.record(Currency, Minor).refine((caps) => Object.keys(caps).length <= 200, "at most 200 currencies"); // an entry holds 60,000 bytes
export type MoneyCaps = z.infer<typeof MoneyCaps>;

const Tier = z.strictObject({ approvals: z.int().min(1).max(9), up_to: MoneyCaps.optional() });
export type Tier = z.infer<typeof Tier>;

/** Tiers in order: so many approvals up to an amount; only the last may have no end. Each asks for more, up to a higher amount. */
const Tiers = z.array(Tier).min(1).max(9).superRefine((tiers, ctx) => {
  tiers.slice(1).forEach((tier, index) => {
    const before = tiers[index]!;
    const path = [index + 1];
    if (tier.approvals <= before.approvals) ctx.addIssue({ code: "custom", path: [...path, "approvals"], message: "more approvals than the tier before" });
    if (!before.up_to) ctx.addIssue({ code: "custom", path: [index, "up_to"], message: "only the last tier has no end" });
    for (const [currency, end] of Object.entries(tier.up_to ?? {})) {
      const lower = before.up_to?.[currency];
      if (lower !== undefined && BigInt(end) <= BigInt(lower)) ctx.addIssue({ code: "custom", path: [...path, "up_to", currency], message: "more than the tier before" });
    }
  });
});

/** The rules of a policy (DESIGN section 9), as they stand in `policy.published`. */
const first = {
  max_items_per_change: z.int().min(1).max(1000),
  max_refund_amount: MoneyCaps,
  refund_window_days: z.int().min(0).max(3650),
  refund_approvals: Tiers,
  expires_after_hours: z.int().min(1).max(720),
  undo_seconds: z.int().min(0).max(3600),
};
const later = {
  max_operator_refund_amount: MoneyCaps,
  agent_daily_refund_total: MoneyCaps,
  agent_daily_changes: z.int().min(0).max(1_000_000),
  max_pending_per_agent: z.int().min(0).max(1_000_000),
  operator_daily_approved_total: MoneyCaps,
};

/** Percent of what was captured that the refunds of a payment may come to. A merchant may do without. */
const optional = { max_refund_pct: z.int().min(1).max(99).optional() };

/** What is published: every rule, by name. */
export const PolicyRules = z.strictObject({ ...first, ...later, ...optional });
export type PolicyRules = z.infer<typeof PolicyRules>;

/** What was published: an old version lacks the rules that came after it, and caps nothing by them. */
export const PublishedRules = z.strictObject({ ...first, ...z.strictObject(later).partial().shape, ...optional });
export type PublishedRules = z.infer<typeof PublishedRules>;

export type RuleName = keyof PolicyRules;
export type Policy = { version: number; rules: PublishedRules };

const inThree = (minor: string): MoneyCaps => ({ EUR: minor, GBP: minor, USD: minor });

export const DEFAULT_RULES: PolicyRules = {
  max_items_per_change: 25,
  max_refund_amount: inThree("50000"),
  max_operator_refund_amount: inThree("100000"),
  refund_window_days: 90,
  refund_approvals: [{ approvals: 1, up_to: inThree("10000") }, { approvals: 2 }],
  agent_daily_refund_total: inThree("2000000"),
  agent_daily_changes: 1000,
  max_pending_per_agent: 500,
  operator_daily_approved_total: inThree("2500000"),
  expires_after_hours: 168,
  undo_seconds: 8,
};
