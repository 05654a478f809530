import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../database";
import { approve, stage } from "../factories";
import { startLossyPlatform, type LossyPlatform } from "../lossy-platform/start";
import { everyMerchant } from "../owner";
import { comparePayouts, type Payouts } from "./payouts";
import { makeShop, type Shop } from "./shop";

// The judge of the long runs is judged here: it must see money that left twice, and must not take a change that stands still for such.

let lossy: LossyPlatform;
let shop: Shop;
let changeId: string;
beforeAll(async () => {
  await testDatabase();
  lossy = await startLossyPlatform();
});
afterAll(() => lossy.stop());

async function judged(): Promise<Payouts> {
  const verdict: Payouts = { double: 0, unbalanced: 0, applied: 0, paidMinor: "0" };
  await comparePayouts(shop, verdict);
  return verdict;
}

const pay = (reference: string, key: string) => fetch(`${lossy.url}/refunds`, {
  method: "POST", headers: { "idempotency-key": key }, body: JSON.stringify({ reference, payment: shop.orders[0]!.paymentId, currency: "GBP", amountMinor: "700" }),
});

beforeAll(async () => {
  shop = await makeShop({ orders: 1, units: 10, unitMinor: 1000n, undoSeconds: 0, platform: lossy });
  changeId = (await stage(shop.merchant, shop.orders[0]!, { amountMinor: 700n })).id;
  await approve(shop.merchant.tom, changeId);
});

test("what was paid once for each item that was sent is in order", async () => {
  expect(await judged()).toEqual({ double: 0, unbalanced: 0, applied: 1, paidMinor: "700" });
});

test("a change that stands still with its hold is no double payment", async () => {
  const { id } = await stage(shop.merchant, shop.orders[0]!, { amountMinor: 500n });
  await lossy.control({ faults: ["lose"] });
  await approve(shop.merchant.tom, id);
  expect((await everyMerchant().change.findFirstOrThrow({ where: { id } })).state).toBe("applying");
  expect(await judged()).toMatchObject({ double: 0, unbalanced: 0 });
});

test("a reference paid twice, and money that nobody sent for, are double", async () => {
  await pay(`${changeId}/0`, "another key");
  expect(await judged()).toMatchObject({ double: 1, unbalanced: 2, paidMinor: "1400" });
  await pay("chg-nobodysent/0", "a third key");
  expect(await judged()).toMatchObject({ double: 2, paidMinor: "2100" });
});
