import type { Ctx, SystemActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { prisma } from "../database/client";
import { databaseNow } from "../database/transactions";
import { commit, NothingToDo } from "../ledger/commit";

/** Refusals a key may leave in the log in one minute; what is beyond is one entry's count (I9). */
const LOGGED_PER_MINUTE = 60;
const BATCH = 50;
type Minute = { merchantId: string; keyId: string; minute: Date; subject: string };

/** Writes the closing entry of minutes in which a key was refused more often than the log lists. */
export async function closeRefusalMinutes(): Promise<void> {
  const now = await databaseNow();
  const over = await prisma().$queryRaw<Minute[]>`
    SELECT merchant_id AS "merchantId", key_id AS "keyId", minute, subject FROM refusal_minutes_over(${LOGGED_PER_MINUTE}, ${BATCH})`;
  for (const { merchantId, keyId, minute, subject } of over) {
    const ctx: Ctx<SystemActor> = { merchantId, actor: { kind: "system", id: "worker" }, now, requestId: `close ${keyId}` };
    const at = { merchantId_keyId_minute: { merchantId, keyId, minute } };
    await commit(authorise(ctx, "refusals:close"), { verb: "close_minute", subject }, async ({ db, append }) => {
      const row = await db.refusalMinute.findUniqueOrThrow({ where: at });
      if (row.closed) throw new NothingToDo();
      await db.refusalMinute.update({ where: at, data: { closed: true } });
      const entry = await append({ type: "change.refused", subject, data: { code: "rate_closed", verb: "every", count: row.refusals - LOGGED_PER_MINUTE } });
      return { result: undefined, entries: [entry], effects: [] };
    }).catch((error: unknown) => {
      if (!(error instanceof NothingToDo)) throw error;
    });
  }
}
