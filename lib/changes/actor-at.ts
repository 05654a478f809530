import type { EntryActor } from "../kernel/context";
import type { Reader } from "../database/transactions";

/** Who acted when a change came to this revision, as the log tells it. */
export async function actorAt(db: Reader, { merchantId, id, revision }: { merchantId: string; id: string; revision: number }): Promise<EntryActor> {
  const { entry } = await db.entry.findFirstOrThrow({ where: { merchantId, subject: id, revision }, select: { entry: true } });
  return (JSON.parse(entry) as { actor: EntryActor }).actor;
}
