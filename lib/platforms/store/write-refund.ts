import type { Db } from "../../database/transactions";

export type StoreRefund = {
  merchantId: string; id: string; changeId: string;
  /** Revision of the change's `change.applied`. */
  revision: number;
  orderId: string; paymentId: string; currency: string; amountMinor: bigint; at: Date;
};

/** Pays out on the built-in store: the row moves the payment's and the lines' sums with it. At most one per change. */
export async function writeRefund(db: Db, { merchantId, id, changeId, revision, orderId, paymentId, currency, amountMinor, at }: StoreRefund): Promise<void> {
  await db.storeRefund.create({ data: { merchantId, id, changeId, revision, orderId, paymentId, currency, amountMinor, at } });
}
