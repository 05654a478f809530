import type { Reader } from "../../database/transactions";

export type LineFacts = {
  id: string; position: number; sku: string; title: string; quantity: number; paidMinor: bigint;
  refundedMinor: bigint; heldMinor: bigint; refundedQuantity: number; heldQuantity: number;
};
export type PaymentFacts = {
  id: string; currency: string; paidAt: Date; capturedMinor: bigint; refundedMinor: bigint; heldMinor: bigint; disputedMinor: bigint; stagedMinor: bigint;
};
export type OrderFacts = {
  id: string; number: string; currency: string; placedAt: Date; customerId: string | null;
  shippingMinor: bigint; shippingRefundedMinor: bigint; shippingHeldMinor: bigint;
  lines: LineFacts[]; payment: PaymentFacts;
};

/** An order with its lines and payment as they stand, or null where this merchant has no such order. */
export async function readOrderFacts(db: Reader, merchantId: string, orderId: string): Promise<OrderFacts | null> {
  const order = await db.order.findUnique({
    where: { merchantId_id: { merchantId, id: orderId } },
    include: { lines: { orderBy: { position: "asc" } }, payment: true },
  });
  return order?.payment ? { ...order, payment: order.payment } : null;
}

/** What is left to refund: captured − refunded − held − disputed. Below zero where a dispute came after a hold. */
export const remainingOf = (payment: PaymentFacts): bigint =>
  payment.capturedMinor - payment.refundedMinor - payment.heldMinor - payment.disputedMinor;
