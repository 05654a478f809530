import type { Actor, Ctx, Role } from "../kernel/context";
import { mayDo, type Permission } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import type { Db } from "../database/transactions";

/**
 * A write believes the database, not the cookie: the sign-in must still be open and today's role must still allow the
 * permission. Read under the lock, so that a removed member's last click cannot slip through.
 */
export async function requireStanding(db: Db, ctx: Ctx<Actor>, permission: Permission, now: Date): Promise<void> {
  const { actor, merchantId } = ctx;
  if (actor.kind !== "person") return;
  const [row] = await db.$queryRaw<{ role: Role }[]>`
    SELECT m.role FROM member m JOIN sign_in s ON s.merchant_id = m.merchant_id AND s.person_id = m.person_id
     WHERE m.merchant_id = ${merchantId} AND m.person_id = ${actor.id} AND m.removed_at IS NULL
       AND s.id = ${actor.signInId} AND s.ended_at IS NULL AND s.expires_at > ${now}`;
  if (!row) throw new Refusal("unauthenticated");
  if (!mayDo({ ...actor, role: row.role }, permission)) throw new Refusal("forbidden");
}
