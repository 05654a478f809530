import type { OrderFacts } from "../platforms/store/order-facts";
import { amountOf, isLineItem, type Item } from "./content";
import type { DiffLine } from "./view";

/** The digested items as a person reads them, largest money first. Only titles and what was paid come from the order. */
export const diffLines = (items: readonly Item[], order: OrderFacts): DiffLine[] =>
  items.map((item) => toLine(item, order)).toSorted((a, b) => Number(BigInt(b.amountMinor) - BigInt(a.amountMinor)));

function toLine(item: Item, order: OrderFacts): DiffLine {
  const money = { target: item.target, beforeMinor: item.before, afterMinor: item.after, amountMinor: String(amountOf(item)) };
  if (item.field === "shipping") return { ...money, kind: "shipping", title: "Shipping", sku: null, quantity: null, ofQuantity: null, paidMinor: String(order.shippingMinor), restock: null };
  if (!isLineItem(item)) return { ...money, kind: "payment", title: "An amount of the payment", sku: null, quantity: null, ofQuantity: null, paidMinor: String(order.payment.capturedMinor), restock: null };
  const line = order.lines.find(({ id }) => id === item.target);
  return {
    ...money, kind: "line", title: line?.title ?? item.target, sku: line?.sku ?? null, quantity: item.quantity, ofQuantity: line?.quantity ?? null,
    paidMinor: String(line?.paidMinor ?? 0n), restock: item.restock,
  };
}
