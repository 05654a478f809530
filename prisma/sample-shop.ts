import { matchCredits, saleKey, type Credit, type Sale } from "../lib/platforms/store/credit-notes";
import { orderTotal, type LocalTime, type Shop, type ShopCustomer, type ShopLine, type ShopOrder } from "../lib/platforms/store/shop";
import { Random } from "./random";
import { COUNTRIES, FINISHES, FIRST_NAMES, GOODS, LAST_NAMES, ODD_CUSTOMERS, ODD_TITLES, SHOP_WORDS } from "./sample-words";

type Product = { sku: string; title: string; priceMinor: number };

/** How an order looks: how many lines, how many of each, and the share of the retail price that is paid. */
const BASKETS = [
  { share: 0.3, guest: 0.7, lines: [1, 8], quantity: [1, 3], price: 100, shipping: 0.6, fee: [295, 595] },
  { share: 0.5, guest: 0.05, lines: [4, 34], quantity: [1, 12], price: 60, shipping: 0.08, fee: [950, 2400] },
  { share: 0.15, guest: 0, lines: [24, 110], quantity: [2, 16], price: 55, shipping: 0.1, fee: [1500, 4500] },
  { share: 0.05, guest: 0, lines: [1, 9], quantity: [48, 400], price: 42, shipping: 0.2, fee: [2500, 9000] },
] as const;

/** Days of trading; which days they are is decided when the shop is imported. */
const FIRST_DAY = "2026-01-05";
const DAYS = 28;

type Size = { seed: number; orders: number; firstNumber: number };

/** The first merchant's month, whose first dozen credit notes have some for one name, some for two and one over an agent's cap; and a small shop's. */
export const REGENT_SHOP: Size = { seed: 189, orders: 1500, firstNumber: 48_001 };
export const HARBOUR_SHOP: Size = { seed: 7, orders: 30, firstNumber: 901 };

/**
 * A gift shop's month, in pounds, the same for the same seed: baskets, trade and wholesale orders, shipping, repeated products, guests, odd
 * texts, and about one credit note to ten orders, one of them credited twice by mistake.
 */
export function sampleShop({ seed, orders, firstNumber }: Size): Shop {
  const random = new Random(seed);
  const products = makeProducts(random);
  const customers = makeCustomers(random, Math.max(8, Math.round(orders / 4)));
  const sold = makeTimes(random, orders).map((placedAt, index) => makeOrder(random, { products, customers, placedAt, number: String(firstNumber + index) }));
  const credits = makeCredits(random, sold, firstNumber + orders);
  const { notes } = matchCredits(credits, salesOf(sold));
  const rows = sold.reduce((sum, order) => sum + order.lines.length + (order.shippingMinor > 0n ? 1 : 0), 0);
  const buyers = new Set(sold.map(({ customer }) => customer));
  return {
    source: "sample", currency: "GBP", zone: "Europe/London",
    customers: customers.filter(({ number }) => buyers.has(number)), orders: sold, creditNotes: notes,
    rows: rows + credits.length, sales: rows, credits: credits.length, skipped: {},
    countedMinor: sold.reduce((sum, order) => sum + orderTotal(order), 0n),
  };
}

function makeProducts(random: Random): Product[] {
  const plain = FINISHES.flatMap((finish) => GOODS.filter(() => random.chance(0.35)).map(([what, price]) => ({ title: `${finish} ${what}`, price })));
  const odd = ODD_TITLES.map((title) => ({ title, price: random.int(165, 1495) }));
  return [...plain, ...odd]
    .map((product) => ({ product, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ product: { title, price } }, index) => ({ sku: `${21_000 + index * 7}${random.chance(0.15) ? random.pick(["A", "B", "C"]) : ""}`, title, priceMinor: price }));
}

function makeCustomers(random: Random, count: number): ShopCustomer[] {
  const name = (index: number): string => {
    const odd = ODD_CUSTOMERS[index];
    if (odd) return odd;
    const person = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
    return random.chance(0.45) ? `${random.pick(SHOP_WORDS)}, ${random.pick(LAST_NAMES)}` : person;
  };
  return Array.from({ length: count }, (_, index) => ({ number: String(4100 + index * 3), name: name(index), country: random.pick(COUNTRIES) }));
}

/** Wall-clock times in order. The last day has only its early hours, so that an import at breakfast shows no order from the evening. */
function makeTimes(random: Random, count: number): LocalTime[] {
  const first = Date.parse(`${FIRST_DAY}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const last = index === 0 || random.chance(0.015);
    const day = last ? DAYS - 1 : random.int(0, DAYS - 2);
    const minute = last ? random.int(5, 6 * 60, 0.7) : random.int(7 * 60 + 30, 19 * 60 + 45);
    return new Date(first + day * 86_400_000 + minute * 60_000 + random.int(0, 59) * 1000).toISOString().slice(0, 19);
  }).sort();
}

function makeOrder(
  random: Random,
  { products, customers, placedAt, number }: { products: Product[]; customers: ShopCustomer[]; placedAt: LocalTime; number: string },
): ShopOrder {
  const basket = pickBasket(random);
  const lines: ShopLine[] = [];
  const add = ({ sku, title, priceMinor }: Product): void => {
    const quantity = random.int(basket.quantity[0], basket.quantity[1], 1.8);
    const unit = Math.max(19, Math.round((priceMinor * basket.price) / 100));
    lines.push({ row: lines.length + 1, sku, title, quantity, paidMinor: BigInt(unit * quantity) });
  };
  const count = random.int(basket.lines[0], basket.lines[1], 1.6);
  const chosen = Array.from({ length: count }, () => random.pick(products, 1.2));
  for (const product of chosen) add(product);
  if (count > 2 && random.chance(0.12)) add(random.pick(chosen));
  return {
    number, placedAt, lines,
    customer: random.chance(basket.guest) ? null : random.pick(customers, 1.5).number,
    shippingMinor: random.chance(basket.shipping) ? BigInt(random.int(basket.fee[0], basket.fee[1])) : 0n,
  };
}

function pickBasket(random: Random): (typeof BASKETS)[number] {
  let at = random.next();
  return BASKETS.find(({ share }) => (at -= share) < 0) ?? BASKETS[0];
}

/** Credits as a shop's book has them: mostly a few broken pieces, at times a whole line, seldom of a wholesale order. */
function makeCredits(random: Random, orders: readonly ShopOrder[], firstNumber: number): Credit[] {
  const creditable = orders.filter(({ customer, lines, placedAt }) => customer && lines.length > 0 && placedAt < lastDay());
  const large = creditable.filter((order) => orderTotal(order) > 100_000n);
  const count = Math.max(8, Math.round(orders.length / 10));
  const notes = Array.from({ length: count }, () => {
    const order = random.pick(large.length > 0 && random.chance(0.18) ? large : creditable);
    return { order, placedAt: creditedAt(order.placedAt, random) };
  }).sort((a, b) => (a.placedAt < b.placedAt ? -1 : 1));
  const credits = notes.flatMap(({ order, placedAt }, index) => {
    const products = new Map(Array.from({ length: random.int(1, 4, 2) }, () => random.pick(order.lines)).map((line) => [line.sku, line]));
    return [...products.values()].map(({ sku, quantity }): Credit => ({
      number: `C${firstNumber + index}`, placedAt, customer: order.customer ?? "", sku,
      quantity: random.chance(0.4) ? quantity : random.int(1, Math.max(1, Math.ceil(quantity / 2))),
    }));
  });
  const twice = credits.find(({ quantity }) => quantity > 1);
  if (twice) credits.push({ ...twice, number: `C${firstNumber + count}`, placedAt: `${lastDay()}T06:00:00` });
  return credits;
}

const lastDay = (): string => new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + (DAYS - 1) * 86_400_000).toISOString().slice(0, 10);

function creditedAt(placedAt: LocalTime, random: Random): LocalTime {
  const days = random.int(1, 9);
  const at = new Date(Date.parse(`${placedAt}Z`) + days * 86_400_000).toISOString().slice(0, 19);
  const end = `${lastDay()}T06:00:00`;
  return at < end ? at : end;
}

function salesOf(orders: readonly ShopOrder[]): Map<string, Sale[]> {
  const sales = new Map<string, Sale[]>();
  for (const { number, placedAt, customer, lines } of orders) {
    for (const { row, sku, title, quantity, paidMinor } of customer ? lines : []) {
      const key = saleKey(customer ?? "", sku);
      sales.set(key, [...(sales.get(key) ?? []), { order: number, row, placedAt, title, quantity, left: quantity, paidMinor }]);
    }
  }
  return sales;
}
