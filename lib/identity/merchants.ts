import type { Json } from "../kernel/canonical-json";
import { canonicalJson } from "../kernel/canonical-json";
import type { EntryActor } from "../kernel/context";
import { newId } from "../kernel/ids";
import { prisma } from "../database/client";
import { databaseNow, inTransaction } from "../database/transactions";
import { appendEntry } from "../log/append";

export type NewMerchant = { slug: string; name: string; timeZone: string; rules: Json };

/** Makes a merchant with its empty log, the opening entry and version 1 of its policy. */
export async function openMerchant({ slug, name, timeZone, rules }: NewMerchant): Promise<{ id: string; slug: string; name: string }> {
  const id = newId("mer");
  const setup: EntryActor = { kind: "system", id: "setup" };
  return inTransaction(id, async (db) => {
    const now = await databaseNow(db);
    await db.merchant.create({ data: { id, slug, name, timeZone, createdAt: now } });
    await db.$executeRaw`INSERT INTO head (merchant_id) VALUES (${id})`;
    await appendEntry(db, id, setup, { type: "log.opened", subject: id, data: { format: "undersigned-log/1" } });
    await db.policy.create({ data: { merchantId: id, version: 1, rules: canonicalJson(rules), publishedAt: now } });
    await appendEntry(db, id, setup, { type: "policy.published", subject: id, data: { version: 1, rules } });
    return { id, slug, name };
  });
}

/** Every merchant's id and slug, for commands that name one or walk them all. */
export const listMerchants = (): Promise<{ id: string; slug: string }[]> => prisma().$queryRaw`SELECT id, slug FROM merchants()`;
