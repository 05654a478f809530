import { beforeAll, expect, test } from "vitest";
import { approve, makeMerchant, makeOrder, readLog, stage, type TestMerchant } from "../testing/factories";
import { testDatabase } from "../testing/database";
import { everyMerchant } from "../testing/owner";

let merchant: TestMerchant;
beforeAll(async () => {
  await testDatabase();
  merchant = await makeMerchant({ undo_seconds: 0 });
});

test("a refund is staged, approved, paid once and written", async () => {
  const order = await makeOrder(merchant.id, { lines: [{ quantity: 3, paidMinor: 1000n }] });
  const change = await stage(merchant, order, { lines: [{ lineId: order.lineIds[0]!, quantity: 1, restock: "none" }] });
  expect(change.content!.total).toBe("333");
  expect((await approve(merchant.tom, change.id)).verb).toBe("approve");
  const payment = await everyMerchant().payment.findFirstOrThrow({ where: { id: order.paymentId } });
  expect(payment).toMatchObject({ refundedMinor: 333n, heldMinor: 0n, stagedMinor: 0n });
  const types = (await readLog(merchant.id)).filter(({ subject }) => subject === change.id).map(({ type }) => type);
  expect(types).toEqual(["change.staged", "change.approved", "change.applying", "change.applied"]);
});
