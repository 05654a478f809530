/** A wall-clock time without a zone, "2010-12-01T08:26:00": what a shop's own file says. */
export type LocalTime = string;

export type ShopCustomer = { number: string; name: string; country: string | null };

/** `row` is the line's place among its order's rows in the source, from 1: a sale may repeat a product. */
export type ShopLine = { row: number; sku: string; title: string; quantity: number; paidMinor: bigint };

export type ShopOrder = {
  number: string;
  placedAt: LocalTime;
  /** The customer's number; null for a guest. */
  customer: string | null;
  lines: ShopLine[];
  shippingMinor: bigint;
};

/** One line of a credit note and the sale it takes back: `row` of order `order`, or its shipping where `row` is null. */
export type CreditLine = { order: string; row: number | null; title: string; quantity: number; amountMinor: bigint };

export type CreditNote = { number: string; placedAt: LocalTime; customer: string; lines: CreditLine[] };

/** A shop as one source tells it, before dates are moved and ids are given. */
export type Shop = {
  /** Names the source, for the record of what was imported. */
  source: string;
  currency: string;
  /** IANA zone of every LocalTime. */
  zone: string;
  customers: ShopCustomer[];
  orders: ShopOrder[];
  creditNotes: CreditNote[];
  /** Rows of the source: `sales` and `credits` are taken, the others are skipped by reason; they sum to `rows`. */
  rows: number;
  sales: number;
  credits: number;
  skipped: Record<string, number>;
  /** Total of the rows counted as sales, summed row by row. */
  countedMinor: bigint;
};

export const orderTotal = (order: ShopOrder): bigint =>
  order.lines.reduce((sum, line) => sum + line.paidMinor, order.shippingMinor);
