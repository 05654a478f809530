import type { AgentActor, Ctx } from "../kernel/context";
import { tenant } from "../database/client";

/** Remembers what a 200 answer showed in this session. `whole`: the order's lines too, not only the order. */
export async function recordRead(ctx: Ctx<AgentActor>, sessionId: string, subjectIds: readonly string[], whole: boolean): Promise<void> {
  if (subjectIds.length === 0) return;
  await tenant(ctx.merchantId).$executeRaw`
    INSERT INTO provenance AS p (merchant_id, session_id, subject_id, whole)
    SELECT ${ctx.merchantId}, ${sessionId}, id, ${whole} FROM unnest(${[...subjectIds]}::text[]) id
    ON CONFLICT (merchant_id, session_id, subject_id) DO UPDATE SET whole = true WHERE ${whole} AND NOT p.whole`;
}
