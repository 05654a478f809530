import { z } from "zod";
import { REFUND_REASONS } from "./content";

const AmountMinor = z.string().regex(/^[1-9][0-9]{0,15}$/, "a string of minor units, from 1 to 16 digits, no sign, no leading zero");
const Line = z.strictObject({
  lineId: z.string().min(1).max(64),
  quantity: z.int().min(1).max(1_000_000),
  restock: z.enum(["none", "returned", "cancelled"]),
});

/** The body of `POST /changes` for a refund: by lines and shipping, or by amount. */
export const RefundInput = z
  .strictObject({
    kind: z.literal("refund"),
    orderId: z.string().min(1).max(64),
    lines: z.array(Line).min(1).max(1000).optional(),
    shipping: z.strictObject({ amountMinor: AmountMinor }).optional(),
    amount: z.strictObject({ amountMinor: AmountMinor, currency: z.string().regex(/^[A-Z]{3}$/) }).optional(),
    reason: z.enum(REFUND_REASONS),
    note: z.string().max(10_000).optional(),
    evidence: z.array(z.strictObject({ label: z.string().min(1).max(200), text: z.string().max(10_000) })).max(10).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional(),
    supersedes: z.string().min(1).max(64).optional(),
  })
  .refine((input) => (input.amount === undefined) !== (input.lines === undefined && input.shipping === undefined), {
    path: ["amount"],
    message: "give either lines and shipping, or amount",
  });
export type RefundInput = z.infer<typeof RefundInput>;
