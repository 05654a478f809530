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
  if (actor.kind === "agent") return requireKey(db, merchantId, actor.keyId, now);
  if (actor.kind !== "person") return;
  const [row] = await db.$queryRaw<{ role: Role }[]>`
    SELECT m.role FROM member m JOIN sign_in s ON s.merchant_id = m.merchant_id AND s.person_id = m.person_id
     WHERE m.merchant_id = ${merchantId} AND m.person_id = ${actor.id} AND m.removed_at IS NULL
       AND s.id = ${actor.signInId} AND s.ended_at IS NULL AND s.expires_at > ${now}`;
  if (!row) throw new Refusal("unauthenticated");
  if (!mayDo({ ...actor, role: row.role }, permission)) throw new Refusal("forbidden");
}

/** A key that was revoked while its request was on the way writes nothing. */
async function requireKey(db: Db, merchantId: string, keyId: string, now: Date): Promise<void> {
  const open = await db.agentKey.findFirst({ where: { merchantId, id: keyId, revokedAt: null, expiresAt: { gt: now } }, select: { id: true } });
  if (!open) throw new Refusal("unauthenticated");
}
