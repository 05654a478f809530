import type { EntryActor } from "../kernel/context";
import type { Reader } from "../database/transactions";

type At = { merchantId: string; id: string; revision: number };

/** The entry that a change stands on at this revision, as far as it says who did what. */
export async function entryBehind(db: Reader, { merchantId, id, revision }: At): Promise<{ type: string; actor: EntryActor }> {
  const { entry } = await db.entry.findFirstOrThrow({ where: { merchantId, subject: id, revision }, select: { entry: true } });
  return JSON.parse(entry) as { type: string; actor: EntryActor };
}

/** Who acted when a change came to this revision, as the log tells it. */
export const actorAt = async (db: Reader, at: At): Promise<EntryActor> => (await entryBehind(db, at)).actor;
