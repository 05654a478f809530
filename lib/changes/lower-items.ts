import { amountIn } from "../kernel/money";
import { Refusal } from "../kernel/refusal";
import type { OrderFacts } from "../platforms/store/order-facts";
import { amountOf, isLineItem, type Item } from "./content";
import { priceOf } from "./line-price";
import { pricedOf, takenOfItem } from "./refund-items";

/** What is left of an item, as it was typed: units of a line, or an amount ("12.50"). What is not named stays as it is. */
export type Lowered = Record<string, string>;

/**
 * The items with some of them lowered: fewer units of a line at the server's price, less of an amount, or nothing. Pure. Refuses
 * `invalid_input` by target: more than was proposed, what was not proposed, nothing lowered, nothing left.
 */
export function lowerItems(items: readonly Item[], lowered: Lowered, order: OrderFacts): Item[] {
  const unknown = Object.keys(lowered).find((target) => !items.some((item) => item.target === target));
  if (unknown) throw refusal({ [unknown]: ["This was not proposed"] });
  const fields: Record<string, string[]> = {};
  const rest = items.flatMap((item) => {
    const to = lowered[item.target];
    const left = to === undefined ? item : lowerItem(item, to, order);
    if (typeof left !== "string") return left ?? [];
    fields[item.target] = [left];
    return [];
  });
  if (Object.keys(fields).length > 0) throw refusal(fields);
  const sum = (all: readonly Item[]) => all.reduce((total, item) => total + amountOf(item), 0n);
  if (sum(rest) >= sum(items)) throw refusal({ lowered: ["Lower something, or approve it as it is"] });
  if (sum(rest) <= 0n) throw refusal({ lowered: ["Something must be left: to refund nothing, reject it"] });
  return rest.map((item) => rebased(item, order));
}

const refusal = (fields: Record<string, string[]>) => new Refusal("invalid_input", { detail: Object.values(fields)[0]![0]!, fields });

/** The lowered item, null where nothing is left of it, or what is wrong. */
function lowerItem(item: Item, to: string, order: OrderFacts): Item | string | null {
  if (isLineItem(item)) return lowerLine(item, to, order);
  const amount = amountIn(to, order.currency);
  if (amount === null) return `Not an amount in ${order.currency}`;
  if (amount > amountOf(item)) return "More than was proposed";
  return amount === 0n ? null : { ...item, after: String(BigInt(item.before) + amount) };
}

function lowerLine(item: Extract<Item, { quantity: number }>, to: string, order: OrderFacts): Item | string | null {
  if (!/^\d{1,7}$/.test(to)) return "Give a whole number";
  const quantity = Number(to);
  if (quantity > item.quantity) return "More than was proposed";
  if (quantity === item.quantity) return item;
  const line = order.lines.find(({ id }) => id === item.target);
  if (quantity === 0 || !line) return null;
  const price = priceOf(pricedOf(line), quantity);
  const amount = price < amountOf(item) ? price : amountOf(item);
  return { ...item, quantity, after: String(BigInt(item.before) + amount) };
}

/** The same amount on what is taken today. */
function rebased(item: Item, order: OrderFacts): Item {
  const before = takenOfItem(item, order);
  return { ...item, before: String(before), after: String(before + amountOf(item)) };
}

/** Whether these are the items with exactly that lowered. */
export function isLowered(items: readonly Item[], lowered: Lowered, rest: readonly Item[], currency: string): boolean {
  return items.every((item) => {
    const to = lowered[item.target];
    const left = rest.find(({ target, field }) => target === item.target && field === item.field);
    if (to === undefined) return left !== undefined && amountOf(left) === amountOf(item);
    if (isLineItem(item)) return Number(to) === (left && isLineItem(left) ? left.quantity : 0);
    return amountIn(to, currency) === (left ? amountOf(left) : 0n);
  });
}
