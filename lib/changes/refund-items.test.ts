import fc from "fast-check";
import { expect, test } from "vitest";
import type { LineFacts, OrderFacts } from "../platforms/store/order-facts";
import { amountOf } from "./content";
import type { RefundInput } from "./refund-input";
import { composeItems, findOverdrawn } from "./refund-items";

const line = (quantity: number, paidMinor: bigint): LineFacts => ({
  id: "lin-AAAAAAAAAA", position: 0, sku: "1", title: "Mug", quantity, paidMinor, refundedMinor: 0n, heldMinor: 0n, refundedQuantity: 0, heldQuantity: 0,
});
const orderOf = (lines: LineFacts[], shippingMinor = 0n): OrderFacts => {
  const capturedMinor = lines.reduce((sum, { paidMinor }) => sum + paidMinor, shippingMinor);
  const at = new Date("2026-11-30T00:00:00Z");
  return {
    id: "ord-AAAAAAAAAA", number: "1", currency: "GBP", placedAt: at, customerId: null, shippingMinor, shippingRefundedMinor: 0n, shippingHeldMinor: 0n, lines,
    payment: { id: "pay-AAAAAAAAAA", currency: "GBP", paidAt: at, capturedMinor, refundedMinor: 0n, heldMinor: 0n, disputedMinor: 0n, stagedMinor: 0n },
  };
};
const ask = (quantity: number): RefundInput => ({ kind: "refund", orderId: "ord-AAAAAAAAAA", reason: "other", lines: [{ lineId: "lin-AAAAAAAAAA", quantity, restock: "none" }] });

test("however a line is refunded in parts, the parts sum to what was paid, and no part is negative", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 60 }), fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (quantity, paidMinor, sizes) => {
    const state = line(quantity, paidMinor);
    let paidOut = 0n;
    for (let left = quantity; left > 0; ) {
      const part = Math.min(left, sizes.next().value as number);
      const items = composeItems(ask(part), orderOf([state]));
      expect(findOverdrawn(items, orderOf([state]))).toEqual([]);
      const amount = amountOf(items[0]!);
      expect(amount >= 0n).toBe(true);
      paidOut += amount;
      state.refundedMinor += amount;
      state.refundedQuantity += part;
      left -= part;
    }
    expect(paidOut).toBe(paidMinor);
  }));
});

test("one unit more than is left is named, with what is left", () => {
  const state = { ...line(4, 400n), refundedQuantity: 1, refundedMinor: 100n, heldQuantity: 1, heldMinor: 100n };
  expect(findOverdrawn(composeItems(ask(2), orderOf([state])), orderOf([state]))).toEqual([]);
  expect(findOverdrawn(composeItems(ask(3), orderOf([state])), orderOf([state]))).toEqual([{ rule: "refundable_remainder", path: "/lines/0/quantity", cap: "2", actual: "3" }]);
});

test("shipping to the penny, and one beyond", () => {
  const order = orderOf([line(1, 100n)], 350n);
  const shipping = (amountMinor: string): RefundInput => ({ kind: "refund", orderId: order.id, reason: "other", shipping: { amountMinor } });
  expect(findOverdrawn(composeItems(shipping("350"), order), order)).toEqual([]);
  expect(findOverdrawn(composeItems(shipping("351"), order), order)).toEqual([{ rule: "refundable_remainder", path: "/shipping/amountMinor", cap: "350", actual: "351" }]);
});

test("a target named twice is refused whatever the letter case", () => {
  const order = orderOf([line(4, 400n)]);
  const [item] = composeItems(ask(1), order);
  expect(findOverdrawn([item!, { ...item!, target: item!.target.toLowerCase() } as typeof item & object], order)).toMatchObject([{ rule: "max_items_per_change", path: "/lines/1/lineId" }]);
});
