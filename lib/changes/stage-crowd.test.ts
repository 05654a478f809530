import { beforeAll, expect, test } from "vitest";
import { Refusal } from "../kernel/refusal";
import { fsckMerchant } from "../log/fsck";
import { openSession } from "../sessions/open";
import { recordRead } from "../sessions/provenance";
import { testDatabase } from "../testing/database";
import { approve, makeMerchant, makeOrder, stage, type TestMerchant, type TestOrder } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { stageRefund } from "./stage";

// Many at once on one payment: each moves what the others were judged on, and yet each is answered.

let merchant: TestMerchant;
let order: TestOrder;
beforeAll(async () => {
  await testDatabase();
  merchant = await makeMerchant({ refund_approvals: [{ approvals: 1 }], undo_seconds: 60 });
});
const fresh = async () => { order = await makeOrder(merchant.id, { lines: [{ quantity: 100, paidMinor: 10_000n }] }); };

const answered = (work: Promise<unknown>): Promise<string> => work.then(() => "staged", (error: unknown) => { if (error instanceof Refusal) return error.code; throw error; });
const staged = async () => (await everyMerchant().payment.findFirstOrThrow({ where: { id: order.paymentId } })).stagedMinor;

test("50 at once, while captures move too: each is staged, or refused by a guardrail", async () => {
  await fresh();
  let isOver = false;
  const importing = (async () => { while (!isOver) await everyMerchant().payment.updateMany({ where: { id: order.paymentId }, data: { capturedMinor: { increment: 1n } } }); })();
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => answered(stage(merchant, order, { amountMinor: n % 10 === 9 ? 20_000n : 100n }))));
  isOver = true;
  await importing;
  expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => (n % 10 === 9 ? "guardrail_violation" : "staged")));
  expect(await staged()).toBe(4500n);
});

test("what an approval takes while they wait is taken from each: none is judged on figures of before", async () => {
  await fresh();
  const { id } = await stage(merchant, order, { amountMinor: 9_950n });
  const [, ...answers] = await Promise.all([approve(merchant.tom, id), ...Array.from({ length: 30 }, () => answered(stage(merchant, order, { amountMinor: 100n })))]);
  expect(answers.filter((answer) => answer !== "staged" && answer !== "guardrail_violation")).toEqual([]);
  expect(await staged()).toBe(100n * BigInt(answers.filter((answer) => answer === "staged").length));
  expect(await answered(stage(merchant, order, { amountMinor: 100n }))).toBe("guardrail_violation");
});

test("under one key and in one session, among the others: one change, and the second session's write is told to wait", async () => {
  await fresh();
  const ctx = await merchant.agent.ctx();
  const [session, busy] = [await openSession(ctx), await openSession(ctx)];
  for (const { id } of [session, busy]) await recordRead(ctx, id, [order.id], true);
  const ask = (sessionId: string, key: string) => stageRefund(ctx, sessionId, { key, hash: key }, { kind: "refund", orderId: order.id, reason: "damaged", amount: { amountMinor: "100", currency: "GBP" } });
  const crowd = Array.from({ length: 20 }, () => answered(stage(merchant, order, { amountMinor: 100n })));
  const [first, second] = await Promise.all([ask(session.id, "same"), ask(busy.id, "same").catch((error: unknown) => error as Refusal)]);
  if (!(second instanceof Refusal)) expect(second.body).toBe(first.body);
  else expect(second.code).toBe("idempotency_in_progress");
  expect(new Set(await Promise.all(crowd))).toEqual(new Set(["staged"]));
  expect(await staged()).toBe(2100n);
});

test("the log is whole after all of it", async () => {
  expect((await fsckMerchant(merchant.id)).findings).toEqual([]);
});
