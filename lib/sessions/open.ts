import type { AgentActor, Ctx } from "../kernel/context";
import { newId } from "../kernel/ids";
import { authorise } from "../kernel/permit";
import { tenant } from "../database/client";

const TWELVE_HOURS = 12 * 60 * 60 * 1000;

/** An agent's working session. What is read in it may be acted on in it. */
export async function openSession(ctx: Ctx<AgentActor>): Promise<{ id: string; expiresAt: Date }> {
  authorise(ctx, "session:open");
  const expiresAt = new Date(ctx.now.getTime() + TWELVE_HOURS);
  const { id } = await tenant(ctx.merchantId).agentSession.create({
    data: { merchantId: ctx.merchantId, id: newId("ses"), agentId: ctx.actor.id, keyId: ctx.actor.keyId, createdAt: ctx.now, expiresAt },
  });
  return { id, expiresAt };
}
