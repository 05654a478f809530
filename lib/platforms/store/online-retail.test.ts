import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parseOnlineRetail } from "./online-retail";
import { orderTotal, type Shop } from "./shop";

const HEAD = "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country";
const parse = (...rows: string[]): Shop => parseOnlineRetail([HEAD, ...rows].join("\n"));
const accounted = (shop: Shop): number => shop.sales + shop.credits + Object.values(shop.skipped).reduce((sum, n) => sum + n, 0);

describe("parseOnlineRetail", () => {
  it("keys the lines by row, keeps a repeated product twice, and takes POST and DOT as shipping", () => {
    const shop = parse(
      "1,A,LAMP ,6,2010-12-01 08:26:00,2.55,17850.0,United Kingdom",
      "1,POST,POSTAGE,1,2010-12-01 08:26:00,3.50,17850.0,United Kingdom",
      "1,A,LAMP,6,2010-12-01 08:27:00,2.55,17850.0,United Kingdom",
      "1,DOT,DOTCOM POSTAGE,1,2010-12-01 08:26:00,1,17850.0,United Kingdom",
    );
    expect(shop.orders).toEqual([{
      number: "1", placedAt: "2010-12-01T08:26:00", customer: "17850", shippingMinor: 450n,
      lines: [
        { row: 1, sku: "A", title: "LAMP", quantity: 6, paidMinor: 1530n },
        { row: 3, sku: "A", title: "LAMP", quantity: 6, paidMinor: 1530n },
      ],
    }]);
    expect(shop.customers).toEqual([{ number: "17850", name: "Customer 17850", country: "United Kingdom" }]);
    expect(shop.countedMinor).toBe(3510n);
  });

  it("rounds a row half up, once, from the exact product", () => {
    const paid = (quantity: number, price: string): bigint | undefined => parse(`1,A,X,${quantity},2010-12-01 08:26:00,${price},,`).orders[0]?.lines[0]?.paidMinor;
    expect(paid(3, "0.005")).toBe(2n);
    expect(paid(1000, "0.001")).toBe(100n);
    expect(paid(3, "1.115")).toBe(335n);
    expect(paid(1_000_003, "90071.93")).toBe(9_007_193n * 1_000_003n);
    expect(paid(999_999_999, "90071992547409.93")).toBeUndefined();
    expect(paid(1, "0.004")).toBeUndefined();
  });

  it("says for every dirty row why it is left out", () => {
    const shop = parse(
      "1,A,good,1,2010-12-01 08:26:00,1.00,,",
      ",A,no number,1,2010-12-01 08:26:00,1.00,,",
      "A563185,B,Adjust bad debt,1,2010-12-01 08:26:00,11062.06,,",
      "2,A,half,1.5,2010-12-01 08:26:00,1.00,,",
      "2,A,none,,2010-12-01 08:26:00,1.00,,",
      "2,A,damages,-9360,2010-12-01 08:26:00,0,,",
      "2,A,?,1,2010-12-01 08:26:00,0.0,,",
      "2,A,debt,1,2010-12-01 08:26:00,-5.00,,",
      "2,A,power,1,2010-12-01 08:26:00,1e3,,",
      "2,A,grouped,1,2010-12-01 08:26:00,\"1,000.00\",,",
      "2,A,no such day,1,2010-02-30 08:26:00,1.00,,",
      "2,A,short,1",
      "2,A,long,1,2010-12-01 08:26:00,1.00,,,,",
      "C3,A,no customer,-1,2010-12-01 08:26:00,1.00,,",
      "C3,A,not negative,1,2010-12-01 08:26:00,1.00,7,",
      "C3,A,never sold,-1,2010-12-01 08:26:00,1.00,7,",
      "",
    );
    expect(shop.skipped).toEqual({
      number_unreadable: 2, quantity_unreadable: 2, quantity_not_positive: 1, price_not_positive: 2, price_unreadable: 2,
      date_unreadable: 1, row_unreadable: 2, credit_without_customer: 1, credit_quantity: 1, credit_without_sale: 1,
    });
    expect(shop.orders.map(({ number }) => number)).toEqual(["1"]);
    expect(accounted(shop)).toBe(shop.rows);
  });

  it("reads both spellings of the date, and drops U+0000 but keeps other hidden characters", () => {
    const shop = parse("1,A,T\u0000EA \u202Eesoor\u200B,1,12/1/2010 8:26,1.00,,");
    expect(shop.orders[0]).toMatchObject({ placedAt: "2010-12-01T08:26:00", lines: [{ title: "TEA \u202Eesoor\u200B" }] });
  });

  it("matches a credit to the latest earlier sale of that customer and product that has as much left", () => {
    const sale = (number: string, at: string, quantity: number): string => `${number},A,LAMP,${quantity},2010-12-0${at} 08:00:00,1.00,7,`;
    const credit = (number: string, at: string, quantity: number): string => `${number},A,LAMP,-${quantity},2010-12-0${at} 09:00:00,1.00,7,`;
    const shop = parse(sale("1", "1", 6), sale("2", "2", 4), sale("3", "8", 9), credit("C1", "3", 3), credit("C2", "4", 3), credit("C3", "5", 5), credit("C4", "6", 7));
    const matched = shop.creditNotes.map(({ number, lines }) => [number, ...lines.map(({ order, quantity, amountMinor }) => `${quantity} of ${order}: ${amountMinor}`)]);
    expect(matched).toEqual([["C1", "3 of 2: 300"], ["C2", "3 of 1: 300"], ["C3", "5 of 1: 500"]]);
    expect(shop.skipped).toEqual({ credit_without_sale: 1 });
  });

  it("refuses another format by what it lacks", () => {
    expect(() => parseOnlineRetail("InvoiceNo,Quantity\n1,2")).toThrow(/lacks StockCode/);
    expect(() => parseOnlineRetail(HEAD)).toThrow(/no rows/);
  });
});

const MONTH = "../shared/data/online-retail/2010-12.csv.gz";
if (existsSync(MONTH)) {
  describe("a real month", () => {
    const shop = parseOnlineRetail(gunzipSync(readFileSync(MONTH)).toString("utf8"));

    it("comes out to the penny, every row accounted for", () => {
      expect(shop.rows).toBe(42_481);
      expect(shop.orders).toHaveLength(1_559);
      expect(shop.countedMinor).toBe(82_374_614n);
      expect(shop.orders.reduce((sum, order) => sum + orderTotal(order), 0n)).toBe(shop.countedMinor);
      expect(shop.orders.reduce((sum, order) => sum + order.shippingMinor, 0n)).toBe(443_000n + 2_467_119n);
      expect(shop.skipped).toEqual({ quantity_not_positive: 70, price_not_positive: 203, credit_without_customer: 38, credit_without_sale: 387 });
      expect(accounted(shop)).toBe(shop.rows);
    });

    it("matches 303 credited rows to an earlier sale, and never repeats a line's key", () => {
      expect(shop.credits).toBe(303);
      expect(shop.creditNotes.flatMap(({ lines }) => lines)).toHaveLength(303);
      for (const { lines } of shop.orders) expect(new Set(lines.map(({ row }) => row)).size).toBe(lines.length);
    });
  });
} else {
  console.info(`${MONTH} is not here: the real month was not read`);
}
