import { newId } from "../../kernel/ids";
import { databaseNow } from "../../database/transactions";
import type { Platform } from "../platform";

/** The built-in store: its writes are rows in the caller's transaction. */
export const store: Platform = {
  name: "store",
  capabilities: { transactional: true },

  async readPayment(db, { merchantId, id }) {
    const payment = await db.payment.findUnique({ where: { merchantId_id: { merchantId, id } } });
    if (!payment) return null;
    const paid = await db.storeRefund.aggregate({ where: { merchantId, paymentId: id }, _sum: { amountMinor: true } });
    return { capturedMinor: payment.capturedMinor, disputedMinor: payment.disputedMinor, refundedMinor: paid._sum.amountMinor ?? 0n };
  },

  async write(db, write) {
    const before = await store.lookUp(db, write);
    if (before) return { outcome: "done", ...before };
    const { merchantId, changeId, item, revision, orderId, paymentId, currency, amountMinor } = write;
    const reference = newId("rfd");
    await db.storeRefund.create({ data: { merchantId, id: reference, changeId, item, revision, orderId, paymentId, currency, amountMinor, at: await databaseNow(db) } });
    return { outcome: "done", reference };
  },

  async lookUp(db, { merchantId, changeId, item }) {
    const refund = await db.storeRefund.findUnique({ where: { merchantId_changeId_item: { merchantId, changeId, item } }, select: { id: true } });
    return refund && { reference: refund.id };
  },
};
