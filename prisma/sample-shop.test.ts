import { describe, expect, it } from "vitest";
import { orderTotal } from "../lib/platforms/store/shop";
import { creditProposals } from "./credit-proposals";
import { REGENT_SHOP, sampleShop } from "./sample-shop";

const shop = sampleShop(REGENT_SHOP);

describe("the sample shop", () => {
  it("is the same every time", () => {
    expect(sampleShop(REGENT_SHOP)).toEqual(shop);
    expect(sampleShop({ ...REGENT_SHOP, seed: 190 })).not.toEqual(shop);
  });

  it("has the shape of a real month", () => {
    const totals = shop.orders.map(orderTotal).sort((a, b) => (a < b ? -1 : 1));
    const repeated = shop.orders.filter(({ lines }) => new Set(lines.map(({ sku }) => sku)).size < lines.length);
    expect(shop.orders).toHaveLength(1500);
    expect(totals[750]).toBeGreaterThan(10_000n);
    expect(totals[750]).toBeLessThan(40_000n);
    expect(totals.at(-1)).toBeGreaterThan(500_000n);
    expect(totals[0]).toBeGreaterThan(0n);
    expect(repeated.length).toBeGreaterThan(100);
    expect(shop.orders.filter(({ shippingMinor }) => shippingMinor > 0n).length).toBeGreaterThan(150);
    expect(shop.orders.filter(({ customer }) => customer === null).length).toBeGreaterThan(150);
  });

  it("counts every row and every penny", () => {
    expect(shop.orders.reduce((sum, order) => sum + orderTotal(order), 0n)).toBe(shop.countedMinor);
    expect(shop.sales + shop.credits).toBe(shop.rows);
    expect(shop.creditNotes.flatMap(({ lines }) => lines)).toHaveLength(shop.credits);
  });

  it("has refunds for one name, for two, and over the cap of an agent", () => {
    const amounts = shop.creditNotes.map(({ lines }) => lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n));
    expect(amounts.filter((amount) => amount <= 10_000n).length).toBeGreaterThan(100);
    expect(amounts.filter((amount) => amount > 10_000n && amount <= 50_000n).length).toBeGreaterThan(5);
    expect(amounts.filter((amount) => amount > 50_000n).length).toBeGreaterThan(1);
    const first = amounts.slice(0, 12);
    expect(first.some((amount) => amount > 10_000n && amount <= 50_000n)).toBe(true);
    expect(first.some((amount) => amount > 50_000n)).toBe(true);
  });

  it("has texts with hidden characters, markup and other scripts", () => {
    const texts = [...shop.customers.map(({ name }) => name), ...shop.orders.flatMap(({ lines }) => lines.map(({ title }) => title))].join("\n");
    for (const odd of ["\u200B", "\u202E", "\u200F", "<script>", "=SUM(", "王小明", "🎉"]) expect(texts).toContain(odd);
  });
});

describe("its credit proposals", () => {
  it("name lines of the order by their place, once each, with the same words every time", () => {
    const proposals = creditProposals(shop);
    const orders = new Map(shop.orders.map((order) => [order.number, order]));
    expect(creditProposals(shop)).toEqual(proposals);
    expect(new Set(proposals.map(({ creditNote, order }) => `${creditNote} ${order}`)).size).toBe(proposals.length);
    for (const { order, lines } of proposals) {
      expect(new Set(lines.map(({ index }) => index)).size).toBe(lines.length);
      for (const { index, title } of lines) expect(orders.get(order)?.lines[index]?.title).toBe(title);
    }
  });
});
