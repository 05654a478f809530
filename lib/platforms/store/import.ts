import { databaseNow, inTransaction, type Db } from "../../database/transactions";
import { newId } from "../../kernel/ids";
import { daysBetween, instantOf, localTime } from "./local-time";
import { orderTotal, type LocalTime, type Shop, type ShopCustomer, type ShopOrder } from "./shop";

const CUSTOMERS = 1000;
const ORDERS = 200;

export type ImportReport = {
  /** How many were written now; the others were there already. */
  newOrders: number;
  newCustomers: number;
  /** Days by which this source's dates are moved, decided at its first import. */
  shiftDays: number;
  /** Captured on the shop's orders, as the database has them now; equals the shop's `countedMinor`. */
  takenMinor: bigint;
};

/**
 * Writes a shop's customers, orders, lines and payments. What is there by its number stays as it is, so that an import that was broken
 * off is finished by running it again, and one that was finished changes nothing. The last day of the source is the day of its first import.
 */
export async function importShop(merchantId: string, shop: Shop, onProgress: (done: number, of: number) => void = () => undefined): Promise<ImportReport> {
  const shiftDays = await decideShift(merchantId, shop);
  const report: ImportReport = { newOrders: 0, newCustomers: 0, shiftDays, takenMinor: 0n };
  for (const batch of batches(shop.customers, CUSTOMERS)) {
    report.newCustomers += await inTransaction(merchantId, (db) => writeCustomers(db, merchantId, batch));
  }
  let done = 0;
  for (const batch of batches(shop.orders, ORDERS)) {
    const at = (local: LocalTime): Date => instantOf(local, shop.zone, shiftDays);
    const { written, takenMinor } = await inTransaction(merchantId, (db) => writeOrders(db, { merchantId, currency: shop.currency, at }, batch));
    report.newOrders += written;
    report.takenMinor += takenMinor;
    onProgress(done += batch.length, shop.orders.length);
  }
  return report;
}

async function decideShift(merchantId: string, { source, zone, orders }: Shop): Promise<number> {
  return inTransaction(merchantId, async (db) => {
    const now = await databaseNow(db);
    const last = orders.reduce((latest, { placedAt }) => (placedAt > latest ? placedAt : latest), "");
    const shift = last === "" ? 0 : daysBetween(last, localTime(now, zone));
    await db.$executeRaw`INSERT INTO import_run (merchant_id, source, shift_days, at) VALUES (${merchantId}, ${source}, ${shift}, ${now}) ON CONFLICT DO NOTHING`;
    const run = await db.importRun.findUniqueOrThrow({ where: { merchantId_source: { merchantId, source } } });
    return run.shiftDays;
  });
}

function writeCustomers(db: Db, merchantId: string, customers: readonly ShopCustomer[]): Promise<number> {
  return db.$executeRaw`
    INSERT INTO customer (merchant_id, id, number, name, country)
    SELECT ${merchantId}, * FROM unnest(${customers.map(() => newId("cus"))}::text[], ${customers.map(({ number }) => number)}::text[],
      ${customers.map(({ name }) => name)}::text[], ${customers.map(({ country }) => country)}::text[])
    ON CONFLICT (merchant_id, number) DO NOTHING`;
}

type Target = { merchantId: string; currency: string; at: (local: LocalTime) => Date };

async function writeOrders(db: Db, target: Target, orders: readonly ShopOrder[]): Promise<{ written: number; takenMinor: bigint }> {
  const { merchantId, currency } = target;
  const ids = orders.map(() => newId("ord"));
  const times = orders.map(({ placedAt }) => target.at(placedAt));
  const written = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO shop_order (merchant_id, id, number, customer_id, currency, placed_at, shipping_minor)
    SELECT ${merchantId}, o.id, o.number, c.id, ${currency}, o.placed_at, o.shipping
    FROM unnest(${ids}::text[], ${orders.map(({ number }) => number)}::text[], ${orders.map(({ customer }) => customer)}::text[],
      ${times}::timestamptz[], ${orders.map(({ shippingMinor }) => shippingMinor)}::bigint[]) AS o (id, number, customer, placed_at, shipping)
    LEFT JOIN customer c ON c.merchant_id = ${merchantId} AND c.number = o.customer
    ON CONFLICT (merchant_id, number) DO NOTHING
    RETURNING id`;
  const fresh = new Set(written.map(({ id }) => id));
  const added = orders.flatMap((order, index) => {
    const id = ids[index];
    return id !== undefined && fresh.has(id) ? [{ id, order, paidAt: times[index] }] : [];
  });
  await writeLines(db, merchantId, added);
  await db.$executeRaw`
    INSERT INTO payment (merchant_id, id, order_id, currency, paid_at, captured_minor)
    SELECT ${merchantId}, p.id, p.order_id, ${currency}, p.paid_at, p.captured
    FROM unnest(${added.map(() => newId("pay"))}::text[], ${added.map(({ id }) => id)}::text[], ${added.map(({ paidAt }) => paidAt)}::timestamptz[],
      ${added.map(({ order }) => orderTotal(order))}::bigint[]) AS p (id, order_id, paid_at, captured)`;
  return { written: added.length, takenMinor: await capturedOn(db, merchantId, orders) };
}

async function writeLines(db: Db, merchantId: string, added: readonly { id: string; order: ShopOrder }[]): Promise<void> {
  const lines = added.flatMap(({ id, order }) => order.lines.map((line) => ({ ...line, orderId: id })));
  await db.$executeRaw`
    INSERT INTO order_line (merchant_id, id, order_id, position, sku, title, quantity, paid_minor)
    SELECT ${merchantId}, * FROM unnest(${lines.map(() => newId("lin"))}::text[], ${lines.map(({ orderId }) => orderId)}::text[], ${lines.map(({ row }) => row)}::int[],
      ${lines.map(({ sku }) => sku)}::text[], ${lines.map(({ title }) => title)}::text[], ${lines.map(({ quantity }) => quantity)}::int[],
      ${lines.map(({ paidMinor }) => paidMinor)}::bigint[])`;
}

async function capturedOn(db: Db, merchantId: string, orders: readonly ShopOrder[]): Promise<bigint> {
  const [row] = await db.$queryRaw<{ captured: bigint }[]>`
    SELECT coalesce(sum(p.captured_minor), 0)::bigint AS captured
    FROM shop_order o JOIN payment p ON p.merchant_id = o.merchant_id AND p.order_id = o.id
    WHERE o.merchant_id = ${merchantId} AND o.number = ANY (${orders.map(({ number }) => number)}::text[])`;
  return row?.captured ?? 0n;
}

function* batches<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}
