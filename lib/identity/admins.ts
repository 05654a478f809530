import type { Actor } from "../kernel/context";
import type { Reader } from "../database/transactions";

/** Whether somebody else governs this merchant too: then what weighs most takes both. Setup acts for nobody and needs nobody. */
export async function hasAnotherAdmin(db: Reader, merchantId: string, actor: Actor): Promise<boolean> {
  if (actor.kind !== "person") return false;
  return (await db.member.count({ where: { merchantId, role: "admin", removedAt: null, personId: { not: actor.id } } })) > 0;
}
