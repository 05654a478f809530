import { afterAll, beforeAll, expect, test } from "vitest";
import { fsckMerchant } from "../log/fsck";
import { runDueJobs } from "../jobs/run";
import { holdLease } from "../platforms/lease";
import { setClock, testDatabase, type TestDatabase } from "../testing/database";
import { everyMerchant } from "../testing/owner";
import { approve, connectPlatform, makeMerchant, makeOrder, readLog, stage, type TestMerchant, type TestOrder } from "../testing/factories";
import { startLossyPlatform, type LossyPlatform } from "../testing/lossy-platform/start";
import { applyChange } from "./apply";
import { listChanges } from "./queue";
import { readChange } from "./queries";
import { retryChange } from "./retry";
import { withdrawFailed } from "./withdraw";

// Applying on a platform that is not ours: item by item, each looked up where its answer was lost, none sent twice.

let database: TestDatabase;
let merchant: TestMerchant;
let lossy: LossyPlatform;
beforeAll(async () => {
  database = await testDatabase();
  merchant = await makeMerchant({ refund_approvals: [{ approvals: 1 }], undo_seconds: 0 });
  lossy = await startLossyPlatform();
  await connectPlatform(merchant, { url: lossy.url, secret: "s" });
});
afterAll(() => lossy.stop());

async function threeLines(): Promise<{ order: TestOrder; id: string; digest: string }> {
  const order = await makeOrder(merchant.id, { lines: [1000n, 2000n, 3000n].map((paidMinor) => ({ quantity: 1, paidMinor })) });
  await lossy.control({ payments: [{ id: order.paymentId, capturedMinor: "6000" }] });
  const { id, digest } = await stage(merchant, order, { lines: order.lineIds.map((lineId) => ({ lineId, quantity: 1, restock: "none" })) });
  return { order, id, digest };
}

const stateOf = async (id: string) => (await everyMerchant().change.findFirstOrThrow({ where: { id } })).state;
const paidFor = async ({ paymentId }: TestOrder) => (await lossy.control({})).refunds.filter(({ payment }) => payment === paymentId).map(({ amountMinor }) => amountMinor);
const sums = async ({ paymentId }: TestOrder) => {
  const { refundedMinor, heldMinor } = await everyMerchant().payment.findFirstOrThrow({ where: { id: paymentId } });
  return { refundedMinor, heldMinor };
};
const typesOf = async (id: string) => (await readLog(merchant.id)).filter(({ subject }) => subject === id).map(({ type }) => type.replace("change.", ""));

test("item by item, then applied with the platform's references", async () => {
  const { order, id } = await threeLines();
  await approve(merchant.tom, id);
  expect(await typesOf(id)).toEqual(["staged", "approved", "applying", "applied"]);
  expect(await paidFor(order)).toEqual(["1000", "2000", "3000"]);
  expect((await readLog(merchant.id)).at(-1)!.data.references).toHaveLength(3);
  expect(await sums(order)).toEqual({ refundedMinor: 6000n, heldMinor: 0n });
});

test("refused at the second item: failed, what is done stays done, and a retry sends only what is missing", async () => {
  const { order, id, digest } = await threeLines();
  await lossy.control({ faults: [null, "refuse"] });
  await approve(merchant.tom, id);
  expect(await stateOf(id)).toBe("failed");
  expect((await readLog(merchant.id)).at(-1)).toMatchObject({ type: "change.failed", actor: { id: merchant.tom.personId }, data: { cause: "platform_refused", rule: "not_refundable", done: 1 } });
  expect(await sums(order)).toEqual({ refundedMinor: 1000n, heldMinor: 0n });
  await retryChange(await merchant.maya.ctx(), { changeId: id, seenDigest: digest });
  expect(await stateOf(id)).toBe("applied");
  expect(await paidFor(order)).toEqual(["1000", "2000", "3000"]);
  expect(await sums(order)).toEqual({ refundedMinor: 6000n, heldMinor: 0n });
});

test("what failed in part and is given up keeps what was paid, and lets go of the rest", async () => {
  const { order, id, digest } = await threeLines();
  await lossy.control({ faults: [null, "refuse"] });
  await approve(merchant.tom, id);
  await withdrawFailed(await merchant.tom.ctx(), { changeId: id, seenDigest: digest });
  expect(await sums(order)).toEqual({ refundedMinor: 1000n, heldMinor: 0n });
});

test.each([["drop_answer", false], ["answer_500", false], ["lose", false], ["drop_answer", true], ["lose", true]] as const)("answer lost by %s, key forgotten: %s: it stays applying, is looked up, and is paid once", async (fault, forgetKeys) => {
  const { order, id } = await threeLines();
  await lossy.control({ faults: [null, fault] });
  await approve(merchant.tom, id);
  expect(await stateOf(id)).toBe("applying");
  expect(await sums(order)).toEqual({ refundedMinor: 1000n, heldMinor: 5000n });
  await lossy.control({ forgetKeys });
  await applyChange(merchant.id, id);
  expect(await stateOf(id)).toBe("applied");
  expect(await paidFor(order)).toEqual(["1000", "2000", "3000"]);
});

test("sent again while the first is still on its way: under the same key, and paid once", async () => {
  const { order, id } = await threeLines();
  await lossy.control({ faults: ["late"], payments: [{ id: order.paymentId, capturedMinor: "60000" }] }); // so that it would pay more
  await approve(merchant.tom, id);
  expect([await stateOf(id), await paidFor(order)]).toEqual(["applying", []]);
  await applyChange(merchant.id, id);
  await lossy.control({ landLate: true });
  expect([await stateOf(id), await paidFor(order)]).toEqual(["applied", ["1000", "2000", "3000"]]);
});

test("while nobody answers it waits in Needs attention, said to be unclear; the worker comes again by itself", async () => {
  const { order, id } = await threeLines();
  await lossy.control({ faults: ["lose", "lose"] });
  await approve(merchant.tom, id);
  const later = new Date(Date.now() + 20_000).toISOString();
  await setClock(database.ownerUrl, later);
  const ctx = await merchant.tom.ctx();
  expect((await listChanges(ctx, { view: "attention" })).items.map((row) => row.id)).toContain(id);
  expect(await readChange(ctx, id)).toMatchObject({ state: "applying", applying: { done: 0, items: 3, unclear: true } });
  await runDueJobs();
  await setClock(database.ownerUrl, new Date(Date.parse(later) + 20_000).toISOString());
  await runDueJobs();
  await setClock(database.ownerUrl, null);
  expect(await stateOf(id)).toBe("applied");
  expect(await paidFor(order)).toEqual(["1000", "2000", "3000"]);
});

test("a driver that dies with its lease is followed by another, once the lease is over", async () => {
  const { order, id } = await threeLines();
  await lossy.control({ faults: ["lose"] });
  await approve(merchant.tom, id);
  await holdLease({ merchantId: merchant.id, changeId: id, holder: "a process that was killed" });
  const began = Date.now();
  for (const [seconds, state] of [[20, "applying"], [80, "applied"]] as const) {
    await setClock(database.ownerUrl, new Date(began + seconds * 1000).toISOString());
    await runDueJobs();
    expect(await stateOf(id)).toBe(state);
  }
  await setClock(database.ownerUrl, null);
  expect(await paidFor(order)).toEqual(["1000", "2000", "3000"]);
});

test("a slow or doubled write is one payment, also with two drivers at once", async () => {
  const { order, id } = await threeLines();
  await lossy.control({ faults: ["delay", "duplicate", "delay"] });
  await Promise.all([approve(merchant.tom, id), ...[1, 2, 3].map(() => applyChange(merchant.id, id))]);
  await applyChange(merchant.id, id);
  expect(await stateOf(id)).toBe("applied");
  expect(await paidFor(order)).toEqual(["1000", "2000", "3000"]);
});

test("a retry asks the platform too: a payment disputed there is not sent again", async () => {
  const { order, id, digest } = await threeLines();
  await lossy.control({ payments: [{ id: order.paymentId, capturedMinor: "6000", disputedMinor: "6000" }] });
  await approve(merchant.tom, id);
  expect(await stateOf(id)).toBe("failed");
  await expect(retryChange(await merchant.maya.ctx(), { changeId: id, seenDigest: digest })).rejects.toMatchObject({ code: "guardrail_violation" });
  expect([await stateOf(id), await paidFor(order)]).toEqual(["failed", []]);
});

test("every entry written on the way is one that a verifier reads", async () => {
  expect((await fsckMerchant(merchant.id)).findings).toEqual([]);
});

test("a refund made on the platform by someone else: refused at apply, nothing sent", async () => {
  const { order, id } = await threeLines();
  await lossy.control({ payments: [{ id: order.paymentId, capturedMinor: "5999" }] });
  await approve(merchant.tom, id);
  expect((await readLog(merchant.id)).at(-1)).toMatchObject({ type: "change.failed", data: { cause: "platform_moved", rule: "refundable_remainder", cap: "5999", actual: "6000" } });
  expect(await paidFor(order)).toEqual([]);
});
