import { prisma, tenant } from "../database/client";
import type { Effect } from "./effect";

export type Claimed = { merchantId: string; id: bigint; type: Effect["type"]; subject: string; attempts: number };

/**
 * Up to `limit` effects that are due, leased for a minute: whoever dies with one leaves it to the next claim.
 * Each handler is safe to run twice, so a lease that ran out does no harm.
 */
export function claimDue(limit: number): Promise<Claimed[]> {
  return prisma().$queryRaw<Claimed[]>`SELECT merchant_id AS "merchantId", id, type, subject, attempts FROM outbox_claim(${limit}::int)`;
}

export async function settle(claimed: Claimed): Promise<void> {
  await tenant(claimed.merchantId).outbox.delete({ where: { merchantId_id: { merchantId: claimed.merchantId, id: claimed.id } } });
}
