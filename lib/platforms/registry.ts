import type { Reader } from "../database/transactions";
import { httpPlatform } from "./http/http";
import type { PaymentOnPlatform, Platform } from "./platform";
import { store } from "./store/store";

/** The platform that a merchant's changes are written on: its own, else the built-in store. */
export async function platformOf(db: Reader, merchantId: string): Promise<Platform> {
  const account = await db.platformAccount.findUnique({ where: { merchantId } });
  return account ? httpPlatform(account) : store;
}

/** The payment as the platform has it now; null where its rows are our own and read under the lock. */
export const paymentElsewhere = async (platform: Platform, db: Reader, payment: { merchantId: string; id: string }): Promise<PaymentOnPlatform | null> =>
  platform.capabilities.transactional ? null : platform.readPayment(db, payment);
