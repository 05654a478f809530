import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Db } from "../database/transactions";
import { appendMove } from "../log/append";
import { testDatabase } from "../testing/database";
import { everyMerchant } from "../testing/owner";
import { makeMerchant, makeOrder, stage, type TestMerchant, type TestOrder } from "../testing/factories";
import { startLossyPlatform, type LossyPlatform } from "../testing/lossy-platform/start";
import { httpPlatform } from "./http/http";
import { markSending } from "./items";
import { Unclear, type ItemWrite, type Platform } from "./platform";
import { store } from "./store/store";

// One contract, two platforms. Each test has an order of its own and a change of it that is applying.

let merchant: TestMerchant;
let lossy: LossyPlatform;
beforeAll(async () => {
  await testDatabase();
  merchant = await makeMerchant({ refund_approvals: [{ approvals: 1 }] });
  lossy = await startLossyPlatform();
});
afterAll(() => lossy.stop());

type Bench = { platform: Platform; order: TestOrder; write: ItemWrite; inDb: <T>(work: (db: Db) => Promise<T>) => Promise<T> };

async function applyingItem(platform: Platform): Promise<Bench> {
  const order = await makeOrder(merchant.id);
  const { id, digest } = await stage(merchant, order, { amountMinor: 4000n });
  await lossy.control({ payments: [{ id: order.paymentId, capturedMinor: "10000" }] });
  const tom = { kind: "person" as const, id: merchant.tom.personId };
  const inDb: Bench["inDb"] = (work) => everyMerchant().$transaction(work);
  await inDb(async (db) => {
    await db.decision.create({ data: { merchantId: merchant.id, changeId: id, revision: 2, personId: tom.id, kind: "approve", seenDigest: digest, at: new Date() } });
    await appendMove(db, merchant.id, tom, { changeId: id, revision: 1, digest, to: "approved", type: "change.approved", effectiveAt: new Date(), data: {} });
    await appendMove(db, merchant.id, tom, { changeId: id, revision: 2, digest, to: "applying", type: "change.applying", effectiveAt: null, data: {} });
  });
  const write: ItemWrite = {
    merchantId: merchant.id, changeId: id, item: 0, revision: 3, target: order.paymentId, field: "refunded", quantity: null, restock: null,
    orderId: order.id, orderNumber: order.number, paymentId: order.paymentId, currency: "GBP", amountMinor: 4000n,
  };
  await inDb((db) => markSending(db, write, new Date()));
  return { platform, order, write, inDb };
}

describe.each([["store", () => store], ["http", () => httpPlatform({ url: lossy.url, secret: "s" })]] as const)("the %s platform", (_name, make) => {
  test("reads a payment as it stands, and knows none that is not there", async () => {
    const { platform, order, inDb } = await applyingItem(make());
    expect(await inDb((db) => platform.readPayment(db, { merchantId: merchant.id, id: order.paymentId }))).toEqual({ capturedMinor: 10_000n, refundedMinor: 0n, disputedMinor: 0n });
    expect(await inDb((db) => platform.readPayment(db, { merchantId: merchant.id, id: "pay-AAAAAAAAAA" }))).toBeNull();
  });
  test("writes once under a key, however often it is asked, and finds it by our reference", async () => {
    const { platform, write, order, inDb } = await applyingItem(make());
    expect(await inDb((db) => platform.lookUp(db, write))).toBeNull();
    const first = await inDb((db) => platform.write(db, write));
    expect(first).toMatchObject({ outcome: "done" });
    expect(await inDb((db) => platform.write(db, write))).toEqual(first);
    expect(await inDb((db) => platform.lookUp(db, write))).toEqual({ reference: (first as { reference: string }).reference });
    expect(await inDb((db) => platform.readPayment(db, { merchantId: merchant.id, id: order.paymentId }))).toMatchObject({ refundedMinor: 4000n });
  });
});

describe("an answer that is lost", () => {
  test.each(["drop_answer", "answer_500"] as const)("%s: unclear, found by look-up, paid once", async (fault) => {
    const { platform, write, inDb } = await applyingItem(httpPlatform({ url: lossy.url, secret: "s" }));
    await lossy.control({ faults: [fault] });
    await expect(inDb((db) => platform.write(db, write))).rejects.toBeInstanceOf(Unclear);
    expect(await inDb((db) => platform.lookUp(db, write))).toMatchObject({ reference: expect.stringMatching(/^ext-/) });
    const { refunds } = await lossy.control({});
    expect(refunds.filter(({ payment }) => payment === write.paymentId)).toHaveLength(1);
  });
  test("lost on the way there: unclear, not found, and sent again", async () => {
    const { platform, write, inDb } = await applyingItem(httpPlatform({ url: lossy.url, secret: "s" }));
    await lossy.control({ faults: ["lose"] });
    await expect(inDb((db) => platform.write(db, write))).rejects.toBeInstanceOf(Unclear);
    expect(await inDb((db) => platform.lookUp(db, write))).toBeNull();
    expect(await inDb((db) => platform.write(db, write))).toMatchObject({ outcome: "done" });
  });
  test("a refusal is an answer", async () => {
    const { platform, write, inDb } = await applyingItem(httpPlatform({ url: lossy.url, secret: "s" }));
    await lossy.control({ faults: ["refuse"] });
    expect(await inDb((db) => platform.write(db, write))).toEqual({ outcome: "refused", cause: "not_refundable" });
  });
  test("a platform that is not there", async () => {
    const { write, inDb } = await applyingItem(store);
    const gone = httpPlatform({ url: "http://127.0.0.1:9", secret: "s" });
    await expect(inDb((db) => gone.lookUp(db, write))).rejects.toBeInstanceOf(Unclear);
  });
});
