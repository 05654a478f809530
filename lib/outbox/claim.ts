import { prisma } from "../database/client";
import type { Effect } from "./effect";

export type Claimed = { merchantId: string; id: bigint; type: Effect["type"]; subject: string; attempts: number };

/**
 * Up to `limit` effects that are due, leased for a minute: whoever dies with one leaves it to the next claim.
 * Each handler is safe to run twice, so a lease that ran out does no harm.
 */
export function claimDue(limit: number): Promise<Claimed[]> {
  return prisma().$queryRaw<Claimed[]>`
    UPDATE outbox o SET due_at = ledger_clock() + interval '1 minute', attempts = o.attempts + 1
      FROM (SELECT merchant_id, id FROM outbox WHERE due_at <= ledger_clock() ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) due
     WHERE o.merchant_id = due.merchant_id AND o.id = due.id
    RETURNING o.merchant_id AS "merchantId", o.id, o.type, o.subject, o.attempts`;
}

export async function settle(claimed: Claimed): Promise<void> {
  await prisma().outbox.delete({ where: { merchantId_id: { merchantId: claimed.merchantId, id: claimed.id } } });
}
