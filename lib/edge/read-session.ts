import type { AgentActor, Ctx, PersonActor } from "../kernel/context";
import { recordRead } from "../sessions/provenance";
import { requireSession } from "../sessions/require";

/** The session a read is to count in, if the caller names one: checked before anything is read. */
export async function namedSession(ctx: Ctx<AgentActor | PersonActor>, request: Request): Promise<(ids: readonly string[], whole: boolean) => Promise<void>> {
  const header = request.headers.get("undersigned-session");
  if (!isAgent(ctx) || header === null) return async () => undefined;
  const sessionId = await requireSession(ctx, header);
  return (ids, whole) => recordRead(ctx, sessionId, ids, whole);
}

const isAgent = (ctx: Ctx<AgentActor | PersonActor>): ctx is Ctx<AgentActor> => ctx.actor.kind === "agent";
