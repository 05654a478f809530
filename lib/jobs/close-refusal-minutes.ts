import type { Ctx, SystemActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { prisma } from "../database/client";
import { databaseNow } from "../database/transactions";
import { commit, NothingToDo } from "../ledger/commit";

const BATCH = 50;
/** `listed`: how many refusals of that minute the log lists; what is beyond is one entry's count (I9). */
type Minute = { merchantId: string; keyId: string; minute: Date; subject: string; listed: number };

/** Writes the closing entry of minutes in which a key, or all keys of a merchant together, were refused more often than the log lists. */
export async function closeRefusalMinutes(): Promise<void> {
  const now = await databaseNow();
  const over = await prisma().$queryRaw<Minute[]>`
    SELECT merchant_id AS "merchantId", key_id AS "keyId", minute, subject, listed FROM refusal_minutes_over(${BATCH})`;
  for (const { merchantId, keyId, minute, subject, listed } of over) {
    const ctx: Ctx<SystemActor> = { merchantId, actor: { kind: "system", id: "worker" }, now, requestId: `close ${keyId}` };
    const at = { merchantId_keyId_minute: { merchantId, keyId, minute } };
    await commit(authorise(ctx, "refusals:close"), { verb: "close_minute", subject }, async ({ db, append }) => {
      const row = await db.refusalMinute.findUniqueOrThrow({ where: at });
      if (row.closed) throw new NothingToDo();
      await db.refusalMinute.update({ where: at, data: { closed: true } });
      const entry = await append({ type: "change.refused", subject, data: { code: "rate_closed", verb: "every", count: row.refusals - listed } });
      return { result: undefined, entries: [entry], effects: [] };
    }).catch((error: unknown) => {
      if (!(error instanceof NothingToDo)) throw error;
    });
  }
}
