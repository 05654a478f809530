import type { Db } from "../database/transactions";
import type { Effect } from "./effect";

export async function enqueue(db: Db, merchantId: string, effects: readonly Effect[]): Promise<void> {
  if (effects.length === 0) return;
  await db.outbox.createMany({ data: effects.map(({ type, subject, dueAt }) => ({ merchantId, type, subject, dueAt })) });
}
