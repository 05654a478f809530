import type { Db, Reader } from "../database/transactions";
import type { ItemWrite } from "./platform";

// Progress of a change's items, one row each; the database moves a payment's hold to refunded when a row becomes done.

export type ItemProgress = { item: number; state: "sending" | "done" | "refused"; sentAt: Date; tries: number; reference: string | null };

export async function readProgress(db: Reader, merchantId: string, changeId: string): Promise<ItemProgress[]> {
  const rows = await db.platformWrite.findMany({ where: { merchantId, changeId }, orderBy: { item: "asc" } });
  return rows.map((row) => ({ ...row, state: row.state as ItemProgress["state"] }));
}

/** Written before the platform is called: from now on the item may have happened. A new `applying` starts its count of time again. */
export async function markSending(db: Db, { merchantId, changeId, item, revision, amountMinor }: ItemWrite, now: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO platform_write AS w (merchant_id, change_id, item, revision, amount_minor, state, sent_at) VALUES (${merchantId}, ${changeId}, ${item}, ${revision}, ${amountMinor}, 'sending', ${now})
    ON CONFLICT (merchant_id, change_id, item) DO UPDATE SET state = 'sending', tries = w.tries + 1, revision = excluded.revision,
      sent_at = CASE WHEN w.revision = excluded.revision THEN w.sent_at ELSE excluded.sent_at END`;
}

export async function markDone(db: Db, { merchantId, changeId, item }: ItemWrite, reference: string, now: Date): Promise<void> {
  await db.platformWrite.update({ where: { merchantId_changeId_item: { merchantId, changeId, item } }, data: { state: "done", reference, doneAt: now } });
}

export async function markRefused(db: Db, { merchantId, changeId, item }: ItemWrite): Promise<void> {
  await db.platformWrite.update({ where: { merchantId_changeId_item: { merchantId, changeId, item } }, data: { state: "refused" } });
}
