import type { Violation } from "../kernel/verdict";
import type { LineFacts, OrderFacts } from "../platforms/store/order-facts";
import { amountOf, isLineItem, type Item } from "./content";
import { priceOf, type Priced } from "./line-price";
import type { RefundInput } from "./refund-input";

/**
 * The items of a refund, priced by the server from what was paid. `before` is what is taken already, refunded or held. Lines must be the
 * order's own.
 */
export function composeItems(input: RefundInput, order: OrderFacts): Item[] {
  if (input.amount) return [item(order.payment.id, "refunded", order.payment.refundedMinor + order.payment.heldMinor, BigInt(input.amount.amountMinor)) as Item];
  const lines = (input.lines ?? []).map((asked) => {
    const line = order.lines.find(({ id }) => id === asked.lineId)!;
    const priced = item(line.id, "refunded", takenOf(line), priceOf(pricedOf(line), asked.quantity));
    return { ...priced, quantity: asked.quantity, restock: asked.restock } as Item;
  });
  const shipping = input.shipping && (item(order.id, "shipping", order.shippingRefundedMinor + order.shippingHeldMinor, BigInt(input.shipping.amountMinor)) as Item);
  return shipping ? [...lines, shipping] : lines;
}

const item = (target: string, field: "refunded" | "shipping", before: bigint, amount: bigint) =>
  ({ target, field, before: String(before), after: String(before + amount) });

export const takenOf = (line: LineFacts): bigint => line.refundedMinor + line.heldMinor;
export const takenUnits = (line: LineFacts): number => line.refundedQuantity + line.heldQuantity;
export const pricedOf = (line: LineFacts): Priced => ({ quantity: line.quantity, paidMinor: line.paidMinor, takenMinor: takenOf(line), takenUnits: takenUnits(line) });

/** What is refunded or held already of what an item is about. */
export function takenOfItem(item: Item, order: OrderFacts): bigint {
  if (item.field === "shipping") return order.shippingRefundedMinor + order.shippingHeldMinor;
  if (!isLineItem(item)) return order.payment.refundedMinor + order.payment.heldMinor;
  const line = order.lines.find(({ id }) => id === item.target);
  return line ? takenOf(line) : 0n;
}

/** Own hold of a change that is approved already: its items are then part of what lines hold. */
type Holding = { held: boolean };

/** Where a part asks for more than is left of its line or of shipping, or a target stands twice (whatever the letter case). */
export function findOverdrawn(items: readonly Item[], order: OrderFacts, { held }: Holding = { held: false }): Violation[] {
  const own = (amount: bigint) => (held ? amount : 0n);
  const seen = new Set<string>();
  return items.flatMap((each, index) => {
    const name = `${each.target} ${each.field}`.toLowerCase();
    if (seen.has(name)) return [violation("max_items_per_change", `/lines/${index}/lineId`, 1n, 2n)];
    seen.add(name);
    const amount = amountOf(each);
    if (each.field === "shipping") {
      const left = order.shippingMinor - order.shippingRefundedMinor - order.shippingHeldMinor + own(amount);
      return amount > left ? [violation("refundable_remainder", "/shipping/amountMinor", left, amount)] : [];
    }
    if (!isLineItem(each)) return [];
    const line = order.lines.find(({ id }) => id === each.target);
    if (!line) return [violation("refundable_remainder", `/lines/${index}/lineId`, 0n, amount)];
    const units = line.quantity - takenUnits(line) + (held ? each.quantity : 0);
    if (each.quantity > units) return [violation("refundable_remainder", `/lines/${index}/quantity`, BigInt(units), BigInt(each.quantity))];
    const left = line.paidMinor - takenOf(line) + own(amount);
    return amount > left ? [violation("refundable_remainder", `/lines/${index}`, left, amount)] : [];
  });
}

const violation = (rule: string, path: string, cap: bigint, actual: bigint): Violation => ({ rule, path, cap: String(cap), actual: String(actual) });
