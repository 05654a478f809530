import { existsSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openMerchant } from "../../identity/merchants";
import { setClock, sql, testDatabase, type TestDatabase } from "../../testing/database";
import { everyMerchant } from "../../testing/owner";
import { importShop } from "./import";
import { parseOnlineRetail } from "./online-retail";
import { readOnlineRetail } from "./online-retail-file";
import type { Shop } from "./shop";

const ROWS = [
  "536365,85123A,HANGING HEART,6,2010-12-01 08:26:00,2.55,17850.0,United Kingdom",
  "536365,85123A,HANGING HEART,2,2010-12-01 08:26:00,2.55,17850.0,United Kingdom",
  "536365,POST,POSTAGE,1,2010-12-01 08:26:00,18.00,17850.0,United Kingdom",
  "536366,22633,\u202EHAND WARMER,1,2010-12-22 23:59:00,0.005,,United Kingdom",
  "536367,?,damages,-9360,2010-12-23 10:00:00,0.0,,United Kingdom",
  "536368,71053,LANTERN,4,2010-12-23 17:41:00,3.39,13047.0,France",
  "C536369,71053,LANTERN,-1,2010-12-23 17:50:00,3.39,13047.0,France",
];
const fromRows = (rows: string[]): Shop => parseOnlineRetail(["InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country", ...rows].join("\n"));
const STORE = ["import_run", "customer", "shop_order", "order_line", "payment"];

let database: TestDatabase;
let merchantId: string;
let merchants = 0;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await setClock(database.ownerUrl, null);
  merchantId = (await openMerchant({ slug: `shop-${++merchants}`, name: "Shop", timeZone: "Europe/London", rules: {} })).id;
});

/** Every row of the store's tables for this merchant, as one digest. */
async function everything(): Promise<string[]> {
  return Promise.all(STORE.map(async (table) => {
    const [row] = await sql<{ digest: string }>(database.ownerUrl, `SELECT count(*) || ' ' || md5(string_agg(t::text, chr(10) ORDER BY t::text)) AS digest FROM ${table} t WHERE merchant_id = $1`, [merchantId]);
    return `${table} ${row?.digest}`;
  }));
}

describe("importShop", () => {
  it("writes orders with their lines by row, shipping, payment and customer", async () => {
    await setClock(database.ownerUrl, "2026-11-30T19:00:00Z");
    const report = await importShop(merchantId, fromRows(ROWS));
    expect(report).toEqual({ newOrders: 3, newCustomers: 2, shiftDays: 5821, takenMinor: 2040n + 1800n + 1n + 1356n });
    const orders = await everyMerchant().order.findMany({ where: { merchantId }, orderBy: { number: "asc" }, include: { lines: { orderBy: { position: "asc" } }, payment: true, customer: true } });
    expect(orders.map(({ number, placedAt, shippingMinor, customer, payment, lines }) => ({
      number, placedAt: placedAt.toISOString(), shippingMinor, customer: customer?.number ?? null, captured: payment?.capturedMinor, paidAt: payment?.paidAt.toISOString(),
      lines: lines.map(({ position, sku, quantity, paidMinor }) => [position, sku, quantity, paidMinor]),
    }))).toEqual([
      { number: "536365", placedAt: "2026-11-08T08:26:00.000Z", paidAt: "2026-11-08T08:26:00.000Z", shippingMinor: 1800n, customer: "17850", captured: 3840n, lines: [[1, "85123A", 6, 1530n], [2, "85123A", 2, 510n]] },
      { number: "536366", placedAt: "2026-11-29T23:59:00.000Z", paidAt: "2026-11-29T23:59:00.000Z", shippingMinor: 0n, customer: null, captured: 1n, lines: [[1, "22633", 1, 1n]] },
      { number: "536368", placedAt: "2026-11-30T17:41:00.000Z", paidAt: "2026-11-30T17:41:00.000Z", shippingMinor: 0n, customer: "13047", captured: 1356n, lines: [[1, "71053", 4, 1356n]] },
    ]);
    for (const { id } of orders) expect(id).toMatch(/^ord-[A-Za-z0-9_-]{10}$/);
  });

  it("takes the day of the import in the shop's zone, and keeps wall-clock times across a change of the clocks", async () => {
    await setClock(database.ownerUrl, "2026-04-01T23:30:00Z"); // half past midnight of the 2nd in London
    await importShop(merchantId, fromRows(ROWS));
    const orders = await everyMerchant().order.findMany({ where: { merchantId }, orderBy: { number: "asc" } });
    expect(orders.map(({ placedAt }) => placedAt.toISOString())).toEqual(["2026-03-11T08:26:00.000Z", "2026-04-01T22:59:00.000Z", "2026-04-02T16:41:00.000Z"]);
  });

  it("changes nothing when it runs again, today or on another day", async () => {
    const first = await importShop(merchantId, fromRows(ROWS));
    const before = await everything();
    const again = await importShop(merchantId, fromRows(ROWS));
    await setClock(database.ownerUrl, "2031-05-05T12:00:00Z");
    const later = await importShop(merchantId, fromRows(ROWS));
    expect(await everything()).toEqual(before);
    for (const report of [again, later]) expect(report).toEqual({ ...first, newOrders: 0, newCustomers: 0 });
  });

  it("finishes what was broken off, on the first run's dates", async () => {
    await setClock(database.ownerUrl, "2026-11-30T19:00:00Z");
    const shop = fromRows([...ROWS, ...Array.from({ length: 200 }, (_, n) => `${600_000 + n},A,CARD,1,2010-12-02 10:00:00,0.01,,`)]);
    const broken = { ...shop, orders: shop.orders.map((order, index) => (index === 202 ? { ...order, shippingMinor: -1n } : order)) };
    await expect(importShop(merchantId, broken)).rejects.toThrow(/shipping/);
    expect(await everyMerchant().order.count({ where: { merchantId } })).toBe(200);
    await setClock(database.ownerUrl, "2026-12-05T19:00:00Z");
    expect(await importShop(merchantId, shop)).toMatchObject({ newOrders: 3, newCustomers: 0, shiftDays: 5821, takenMinor: shop.countedMinor });
  });

  it("writes each order once when two imports run at once", async () => {
    const shop = fromRows(ROWS);
    const reports = await Promise.all([importShop(merchantId, shop), importShop(merchantId, shop)]);
    expect(reports.reduce((sum, { newOrders }) => sum + newOrders, 0)).toBe(3);
    expect(await everyMerchant().orderLine.count({ where: { merchantId } })).toBe(4);
    for (const { takenMinor } of reports) expect(takenMinor).toBe(shop.countedMinor);
  });

  it("shows by the total that an order's number was taken by another sale", async () => {
    const shop = fromRows(ROWS);
    await importShop(merchantId, { ...shop, source: "elsewhere", orders: shop.orders.slice(0, 1).map((order) => ({ ...order, shippingMinor: 0n })) });
    const { takenMinor } = await importShop(merchantId, shop);
    expect(shop.countedMinor - takenMinor).toBe(1800n);
  });

  it("gives two merchants their own orders with the same numbers", async () => {
    const other = (await openMerchant({ slug: `shop-${++merchants}`, name: "Other", timeZone: "Europe/London", rules: {} })).id;
    await importShop(merchantId, fromRows(ROWS));
    expect(await importShop(other, fromRows(ROWS))).toMatchObject({ newOrders: 3, newCustomers: 2 });
  });
});

const MONTH = "../shared/data/online-retail/2010-12.csv.gz";
if (existsSync(MONTH)) {
  it("takes a real month to the penny, once", async () => {
    const shop = readOnlineRetail(MONTH);
    const report = await importShop(merchantId, shop);
    expect(report).toMatchObject({ newOrders: 1559, takenMinor: 82_374_614n });
    expect(shop.countedMinor).toBe(82_374_614n);
    const before = await everything();
    expect(await importShop(merchantId, shop)).toMatchObject({ newOrders: 0, newCustomers: 0, takenMinor: 82_374_614n, shiftDays: report.shiftDays });
    expect(await everything()).toEqual(before);
    expect(before[3]).toMatch(/^order_line 41362 /); // 41,480 rows less 118 of postage
  });
} else {
  console.info(`${MONTH} is not here: the real month was not imported`);
}
