import { z } from "zod";

const Minor = z.string().regex(/^(0|[1-9][0-9]*)$/);
const LineItem = z.object({
  target: z.string().startsWith("lin-"), field: z.literal("refunded"), before: Minor, after: Minor,
  quantity: z.int(), restock: z.enum(["none", "returned", "cancelled"]),
});
const ShippingItem = z.object({ target: z.string().startsWith("ord-"), field: z.literal("shipping"), before: Minor, after: Minor });
const PaymentItem = z.object({ target: z.string().startsWith("pay-"), field: z.literal("refunded"), before: Minor, after: Minor });

/** One line of a change; `after − before` is its amount in minor units. */
export const Item = z.union([LineItem, ShippingItem, PaymentItem]);
export type Item = z.infer<typeof Item>;

export const REFUND_REASONS = ["damaged", "not_received", "not_as_described", "changed_mind", "duplicate", "fraud", "goodwill", "other"] as const;

/** What was proposed: immutable, digested as the exact JCS bytes that are stored (DESIGN section 7). */
export const Content = z.object({
  v: z.literal(1), id: z.string(), log: z.string(), kind: z.literal("refund"), summary: z.string(), reason: z.enum(REFUND_REASONS),
  note: z.string().nullable(), evidence: z.array(z.object({ label: z.string(), text: z.string() })),
  currency: z.string(), total: Minor, order: z.string(), items: z.array(Item), session: z.string().nullable(), agent: z.string().nullable(),
  policy: z.int(), salt: z.string(), stagedAt: z.string(), expiresAt: z.string(), supersedes: z.string().nullable(),
});
export type Content = z.infer<typeof Content>;

export const parseContent = (bytes: string): Content => Content.parse(JSON.parse(bytes));

export const amountOf = (item: Item): bigint => BigInt(item.after) - BigInt(item.before);
export const isLineItem = (item: Item): item is z.infer<typeof LineItem> => item.target.startsWith("lin-");
