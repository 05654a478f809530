import { connectPlatform, makeMerchant, makeOrder, type TestMerchant, type TestOrder } from "../factories";
import type { LossyPlatform } from "../lossy-platform/start";

export type Shop = { merchant: TestMerchant; orders: TestOrder[]; platform: LossyPlatform | null };
export type ShopPlan = { orders: number; units: number; unitMinor: bigint; undoSeconds: number; platform: LossyPlatform | null };

const LINES = 3;

/** A merchant whose orders have three lines of so many units; one signature is enough, and no day's number of changes. */
export async function makeShop({ orders: count, units, unitMinor, undoSeconds, platform }: ShopPlan): Promise<Shop> {
  const merchant = await makeMerchant({ refund_approvals: [{ approvals: 1 }], undo_seconds: undoSeconds, agent_daily_changes: 1_000_000, max_pending_per_agent: 1_000_000 });
  if (platform) await connectPlatform(merchant, { url: platform.url, secret: "s" });
  const line = { quantity: units, paidMinor: BigInt(units) * unitMinor };
  const orders = await Promise.all(Array.from({ length: count }, () => makeOrder(merchant.id, { lines: Array.from({ length: LINES }, () => line) })));
  const capturedMinor = String(BigInt(LINES) * line.paidMinor);
  await platform?.control({ payments: orders.map(({ paymentId }) => ({ id: paymentId, capturedMinor })) });
  return { merchant, orders, platform };
}
