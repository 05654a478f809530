import { formatMoney } from "../kernel/money";
import type { OrderFacts } from "../platforms/store/order-facts";
import { amountOf, isLineItem, type Item } from "./content";

const NAMED = 2;

/** "Refund £120.60 of order 537332: 24 × White hanging heart, 6 × Slate chalkboard and 3 more". Composed by us, from the items. */
export function summaryOf(order: OrderFacts, items: readonly Item[], amountMinor: bigint): string {
  const head = `Refund ${formatMoney({ amountMinor, currency: order.currency })} of order ${order.number}`;
  const largest = items.toSorted((a, b) => Number(amountOf(b) - amountOf(a)));
  const names = largest.slice(0, NAMED).map((item) => {
    if (item.field === "shipping") return "shipping";
    return isLineItem(item) ? `${item.quantity} × ${order.lines.find(({ id }) => id === item.target)!.title}` : "an amount";
  });
  const more = items.length - NAMED;
  return `${head}: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
