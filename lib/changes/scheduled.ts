import type { Reader } from "../database/transactions";
import type { LoadedChange } from "./load";

type Scheduled = { local: string; zone: string; at: Date; personId: string };

/** The time that a person chose and that holds, or null. */
export async function readSchedule(db: Reader, { merchantId, id, effectiveAt }: LoadedChange): Promise<Scheduled | null> {
  if (!effectiveAt) return null;
  return db.changeSchedule.findFirst({ where: { merchantId, changeId: id, at: effectiveAt }, orderBy: { revision: "desc" } });
}

export const scheduledBy = async (db: Reader, change: LoadedChange): Promise<string | null> => (await readSchedule(db, change))?.personId ?? null;
