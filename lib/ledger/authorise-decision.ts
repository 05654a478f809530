import type { Ctx, PersonActor } from "../kernel/context";
import { authorise, type Permission, type Permit } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { inTransaction } from "../database/transactions";
import { traceRefusal } from "./refusal-trace";

/** `authorise` for a decision on a change: a person whose role decides nothing is refused in the log as well (I9). */
export async function authoriseDecision(ctx: Ctx<PersonActor>, permission: Permission, verb: string, changeId: string): Promise<Permit<PersonActor>> {
  try {
    return authorise(ctx, permission);
  } catch (error) {
    if (error instanceof Refusal) await traceForbidden(ctx, verb, changeId, error);
    throw error;
  }
}

async function traceForbidden(ctx: Ctx<PersonActor>, verb: string, changeId: string, refusal: Refusal): Promise<void> {
  await inTransaction(ctx.merchantId, async (db) => {
    await db.$queryRaw`SELECT now FROM ledger_lock(${ctx.merchantId})`;
    const ours = await db.change.findUnique({ where: { merchantId_id: { merchantId: ctx.merchantId, id: changeId } }, select: { id: true } });
    await traceRefusal(db, ctx, { verb, subject: ours?.id ?? ctx.actor.id }, refusal);
  });
}
