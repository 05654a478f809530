import type { Reader } from "../database/transactions";
import { actorAt } from "./actor-at";
import type { LoadedChange } from "./load";

type Scheduled = { local: string; zone: string; at: Date; personId: string };

/** The time that a person chose and that holds, or null. Who chose it is told by the entry that the change stands on; the row has only their clock. */
export async function readSchedule(db: Reader, change: LoadedChange): Promise<Scheduled | null> {
  const { merchantId, id, revision, effectiveAt } = change;
  if (!effectiveAt) return null;
  const chosen = await db.changeSchedule.findFirst({ where: { merchantId, changeId: id, revision, at: effectiveAt }, select: { local: true, zone: true, at: true } });
  return chosen && { ...chosen, personId: (await actorAt(db, change)).id };
}
