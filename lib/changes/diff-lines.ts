import type { OrderFacts } from "../platforms/store/order-facts";
import { amountOf, isLineItem, type Item } from "./content";
import { takenOfItem, takenUnits } from "./refund-items";
import type { DiffLine } from "./view";

/** Whose figures `before` and `after` are: as proposed, or, while it can still be decided, what is taken now (`held`: its own hold is part of that). */
export type Figures = "proposed" | { now: true; held: boolean };

/**
 * The digested items as a person reads them, largest money first. What this change takes is the content's; what was refunded before it
 * is today's while it can be decided, with the proposed figure beside it where that has moved.
 */
export const diffLines = (items: readonly Item[], order: OrderFacts, figures: Figures): DiffLine[] =>
  items.map((item) => toLine(item, order, figures)).toSorted((a, b) => Number(BigInt(b.amountMinor) - BigInt(a.amountMinor)));

function toLine(item: Item, order: OrderFacts, figures: Figures): DiffLine {
  const line = isLineItem(item) ? order.lines.find(({ id }) => id === item.target) : undefined;
  const money = moneyOf(item, takenOfItem(item, order), figures);
  if (item.field === "shipping") return { ...money, kind: "shipping", title: "Shipping", sku: null, quantity: null, ofQuantity: null, takenUnits: null, paidMinor: String(order.shippingMinor), restock: null };
  if (!isLineItem(item)) return { ...money, kind: "payment", title: "An amount of the payment", sku: null, quantity: null, ofQuantity: null, takenUnits: null, paidMinor: String(order.payment.capturedMinor), restock: null };
  return {
    ...money, kind: "line", title: line?.title ?? item.target, sku: line?.sku ?? null, quantity: item.quantity, ofQuantity: line?.quantity ?? null, takenUnits: line ? takenUnits(line) : null,
    paidMinor: String(line?.paidMinor ?? 0n), restock: item.restock,
  };
}

function moneyOf(item: Item, taken: bigint, figures: Figures) {
  const amount = amountOf(item);
  const before = figures === "proposed" ? BigInt(item.before) : taken - (figures.held ? amount : 0n);
  return {
    target: item.target, beforeMinor: String(before), afterMinor: String(before + amount), amountMinor: String(amount),
    proposedBeforeMinor: String(before) === item.before ? null : item.before,
  };
}
