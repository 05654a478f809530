import type { Actor } from "../kernel/context";
import type { Reader } from "../database/transactions";

/**
 * Whether somebody else governs this merchant too: then what weighs most takes both. Whoever took another admin's place away counts as
 * not alone for a day: else one admin could demote the other, act, and promote them again. Setup acts for nobody and needs nobody.
 */
export async function hasAnotherAdmin(db: Reader, merchantId: string, actor: Actor): Promise<boolean> {
  if (actor.kind !== "person") return false;
  const [row] = await db.$queryRaw<{ another: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM member m WHERE m.merchant_id = ${merchantId} AND m.person_id <> ${actor.id} AND (
        (m.role = 'admin' AND m.removed_at IS NULL)
        OR EXISTS (SELECT FROM entry e WHERE e.merchant_id = m.merchant_id AND e.subject = m.id AND e.type IN ('member.changed', 'member.removed')
             AND e.at > ledger_clock() - interval '24 hours' AND e.entry::json -> 'actor' ->> 'id' = ${actor.id}
             AND 'admin' = (SELECT b.entry::json -> 'data' ->> 'role' FROM entry b WHERE b.merchant_id = e.merchant_id AND b.subject = e.subject
                  AND b.type IN ('member.added', 'member.changed') AND b.seq < e.seq ORDER BY b.seq DESC LIMIT 1)))) AS another`;
  return row!.another;
}
