import type { AgentActor, Ctx } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { tenant } from "../database/client";

/** The session named by a request, if it is this agent's and open. Unknown, ended and another agent's answer alike. */
export async function requireSession(ctx: Ctx<AgentActor>, sessionId: string | null): Promise<string> {
  if (!sessionId) throw new Refusal("session_required");
  const session = await tenant(ctx.merchantId).agentSession.findUnique({ where: { merchantId_id: { merchantId: ctx.merchantId, id: sessionId } } });
  if (!session || session.agentId !== ctx.actor.id || session.endedAt || session.expiresAt <= ctx.now) throw new Refusal("session_not_found");
  return session.id;
}
