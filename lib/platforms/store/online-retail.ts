import Papa from "papaparse";
import { minorDigits } from "../../kernel/money";
import { matchCredits, saleKey, type Credit, type Sale } from "./credit-notes";
import type { LocalTime, Shop, ShopCustomer, ShopOrder } from "./shop";

// The public "Online Retail" format: one row per invoice line of a UK shop (D. Chen, UCI, DOI 10.24432/C5BW33).
// https://archive.ics.uci.edu/dataset/352/online+retail

const COLUMNS = ["InvoiceNo", "StockCode", "Description", "Quantity", "InvoiceDate", "UnitPrice", "CustomerID", "Country"] as const;
type Row = Record<(typeof COLUMNS)[number], string>;

const CURRENCY = "GBP";
const ZONE = "Europe/London";
/** So that no order's sum leaves a bigint column. */
const MAX_ROW_MINOR = 10n ** 13n;
const SHIPPING = new Set(["POST", "DOT"]);

/** Why a row is left out. */
export const SKIP_REASONS = {
  row_unreadable: "a row with too few or too many columns",
  number_unreadable: "no invoice number, or not that of a sale or a credit note",
  quantity_unreadable: "a quantity that is not a whole number",
  price_unreadable: "a price that is not a plain decimal",
  date_unreadable: "a date that is not one",
  quantity_not_positive: "a quantity of zero or less outside a credit note (stock moved, nothing sold)",
  price_not_positive: "a price of zero or less, or under half a penny in all (given away, or a note to the warehouse)",
  price_too_large: "a row of more than a hundred thousand million pounds",
  credit_quantity: "a credit note's quantity that is not negative",
  credit_without_customer: "a credit note without a customer, which no sale can be matched to",
  credit_without_sale: "a credit note without an earlier sale of that customer and product in the file",
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;

/**
 * Reads a whole file's text; throws where it is not in this format. Every row is a sale, a matched credit or skipped with its
 * reason. A row's money is quantity × price exactly, rounded half up to the penny once, at the row; a POST or DOT row is
 * shipping. Lines are numbered by the rows of their invoice.
 */
export function parseOnlineRetail(text: string): Shop {
  const reader = new Reader();
  Papa.parse<Row>(text.replace(/^\uFEFF/, ""), {
    header: true,
    skipEmptyLines: "greedy",
    step: ({ data, errors, meta }) => {
      if (reader.rows === 0) requireColumns(meta.fields ?? []);
      reader.add(data, errors.length > 0);
    },
  });
  if (reader.rows === 0) throw new Error("not an Online Retail file: it has no rows");
  return reader.finish();
}

function requireColumns(fields: readonly string[]): void {
  const missing = COLUMNS.filter((column) => !fields.includes(column));
  if (missing.length > 0) throw new Error(`not an Online Retail file: it lacks ${missing.join(", ")}`);
}

class Reader {
  rows = 0;
  private countedMinor = 0n;
  private taken = 0;
  private readonly orders = new Map<string, ShopOrder & { seen: number }>();
  private readonly customers = new Map<string, ShopCustomer>();
  private readonly sales = new Map<string, Sale[]>();
  private readonly credits: Credit[] = [];
  private readonly skipped: Partial<Record<SkipReason, number>> = {};

  add(row: Row, broken: boolean): void {
    this.rows++;
    const reason = broken ? "row_unreadable" : this.take(row);
    if (reason) this.skip(reason, 1);
  }

  private take(row: Row): SkipReason | null {
    const number = clean(row.InvoiceNo);
    const quantity = wholeNumber(row.Quantity);
    const placedAt = readDate(row.InvoiceDate);
    const customer = clean(row.CustomerID).replace(/\.0$/, "");
    if (!/^C?\d+$/i.test(number)) return "number_unreadable";
    if (quantity === null) return "quantity_unreadable";
    if (placedAt === null) return "date_unreadable";
    if (/^C/i.test(number)) {
      if (quantity >= 0) return "credit_quantity";
      if (customer === "") return "credit_without_customer";
      this.credits.push({ number, placedAt, customer, sku: clean(row.StockCode), quantity: -quantity });
      return null;
    }
    if (!/^-?\d+(\.\d+)?$/.test(clean(row.UnitPrice))) return "price_unreadable";
    if (quantity <= 0) return "quantity_not_positive";
    const paidMinor = rowMinor(clean(row.UnitPrice), quantity);
    if (paidMinor <= 0n) return "price_not_positive";
    if (paidMinor > MAX_ROW_MINOR) return "price_too_large";
    this.sell(row, { number, quantity, placedAt, customer, paidMinor });
    return null;
  }

  private sell(row: Row, sale: { number: string; quantity: number; placedAt: LocalTime; customer: string; paidMinor: bigint }): void {
    const { number, quantity, placedAt, customer, paidMinor } = sale;
    const sku = clean(row.StockCode);
    const title = clean(row.Description) || sku;
    const order = this.orders.get(number) ?? { number, placedAt, customer: customer || null, lines: [], shippingMinor: 0n, seen: 0 };
    this.orders.set(number, order);
    order.seen++;
    const shipping = SHIPPING.has(sku);
    if (shipping) order.shippingMinor += paidMinor;
    else order.lines.push({ row: order.seen, sku, title, quantity, paidMinor });
    this.countedMinor += paidMinor;
    this.taken++;
    if (customer === "") return;
    if (!this.customers.has(customer)) this.customers.set(customer, { number: customer, name: `Customer ${customer}`, country: clean(row.Country) || null });
    const key = saleKey(customer, sku);
    const sold: Sale = { order: number, row: shipping ? null : order.seen, placedAt, title, quantity, left: quantity, paidMinor };
    this.sales.set(key, [...(this.sales.get(key) ?? []), sold]);
  }

  finish(): Shop {
    const { notes, unmatched } = matchCredits(this.credits, this.sales);
    if (unmatched > 0) this.skip("credit_without_sale", unmatched);
    return {
      source: "online-retail", currency: CURRENCY, zone: ZONE,
      customers: [...this.customers.values()],
      orders: [...this.orders.values()].map(({ seen: _, ...order }) => order),
      creditNotes: notes,
      rows: this.rows, sales: this.taken, credits: this.credits.length - unmatched,
      skipped: this.skipped, countedMinor: this.countedMinor,
    };
  }

  private skip(reason: SkipReason, rows: number): void {
    this.skipped[reason] = (this.skipped[reason] ?? 0) + rows;
  }
}

/** PostgreSQL's text holds no U+0000; what else a title hides is kept, and shown as such. */
const clean = (text: string | undefined): string => (text ?? "").replaceAll("\u0000", "").trim();

function wholeNumber(text: string): number | null {
  const value = Number(clean(text));
  return /^-?\d{1,9}$/.test(clean(text)) ? value : null;
}

/** `price` × `quantity` in minor units, half up. */
function rowMinor(price: string, quantity: number): bigint {
  const [whole = "0", fraction = ""] = price.split(".");
  const digits = minorDigits(CURRENCY);
  const exact = BigInt(whole + fraction.padEnd(digits, "0")) * BigInt(quantity);
  const unit = 10n ** BigInt(Math.max(fraction.length, digits) - digits);
  return exact < 0n ? exact : (exact + unit / 2n) / unit;
}

/** "2010-12-01 08:26:00", or "12/1/2010 8:26", as the file's two common copies write it; null where the calendar has no such day. */
function readDate(text: string): LocalTime | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?$/.exec(clean(text));
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d\d)$/.exec(clean(text));
  const parts = iso ? iso.slice(1, 7) : us ? [us[3], us[1], us[2], us[4], us[5]] : null;
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.map((part) => (part ?? "0").padStart(2, "0"));
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second ?? "00"}`;
  const at = new Date(`${local}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(local) ? local : null;
}
