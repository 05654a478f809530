import type { Db } from "../database/transactions";

/** Against writers that never append: an import that moves captures. After the log's lock, as always. */
export async function lockPayment(db: Db, merchantId: string, orderId: string): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM payment WHERE merchant_id = ${merchantId} AND order_id = ${orderId} FOR UPDATE`;
}
