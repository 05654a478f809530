import type { Ctx, PersonActor } from "../kernel/context";
import { authorise, mayDo } from "../kernel/permit";
import { tenant } from "../database/client";
import { readPause, type PauseView } from "./pause";

/** What every page of a merchant shows: who threw the switch, and whether a policy waits for this viewer. */
export type StandingView = { pause: PauseView | null; policyWaits: boolean; mayGovern: boolean };

export async function readStanding(ctx: Ctx<PersonActor>): Promise<StandingView> {
  authorise(ctx, "policy:read");
  const { merchantId, actor } = ctx;
  const [pause, proposal] = await Promise.all([readPause(ctx), tenant(merchantId).policyProposal.findUnique({ where: { merchantId }, select: { proposedBy: true } })]);
  const mayGovern = mayDo(actor, "merchant:govern");
  return { pause, policyWaits: mayGovern && proposal !== null && proposal.proposedBy !== actor.id, mayGovern };
}
