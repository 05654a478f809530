import { tenant } from "../database/client";

export type Lease = { merchantId: string; changeId: string; holder: string };

export const LEASE_MS = 30_000;

/**
 * Takes or extends a lease on sending a change's items, for half a minute: longer than any call to a platform waits.
 * False while another holds it. The Idempotency-Key is what makes a write safe; the lease only keeps two drivers from wasting calls.
 */
export async function holdLease({ merchantId, changeId, holder }: Lease): Promise<boolean> {
  const rows = await tenant(merchantId).$queryRaw<object[]>`
    INSERT INTO apply_lease AS l (merchant_id, change_id, holder, until) VALUES (${merchantId}, ${changeId}, ${holder}, ledger_clock() + ${LEASE_MS} * interval '1 millisecond')
    ON CONFLICT (merchant_id, change_id) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE l.holder = ${holder} OR l.until < ledger_clock() RETURNING l.change_id`;
  return rows.length > 0;
}

export async function releaseLease({ merchantId, changeId, holder }: Lease): Promise<void> {
  await tenant(merchantId).$executeRaw`DELETE FROM apply_lease WHERE merchant_id = ${merchantId} AND change_id = ${changeId} AND holder = ${holder}`;
}
