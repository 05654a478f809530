import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { hasAnotherAdmin } from "../identity/admins";
import { commit, type Ledger } from "../ledger/commit";
import { putInForce, type Published } from "./publish";
import { PolicyRules } from "./schema";

/** The digest of the rules that were on screen. */
export const ProposalInput = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) });
export type ProposalInput = z.infer<typeof ProposalInput>;

/** Puts another admin's proposal in force, as it was seen. Its author may only where nobody else is left to. */
export async function confirmPolicy(ctx: Ctx<PersonActor>, input: ProposalInput): Promise<Published> {
  const permit = authorise(ctx, "merchant:govern");
  return commit(permit, { verb: "confirm_policy", subject: ctx.merchantId }, async (ledger) => {
    const proposal = await takeProposal(ctx, ledger, input);
    if (proposal.proposedBy === ctx.actor.id && (await hasAnotherAdmin(ledger.db, ctx.merchantId, ctx.actor))) throw new Refusal("needs_another_admin");
    return putInForce(ctx, ledger, PolicyRules.parse(JSON.parse(proposal.rules)));
  });
}

/** Ends a proposal: another admin declines it, or its author takes it back. */
export async function declinePolicy(ctx: Ctx<PersonActor>, input: ProposalInput): Promise<void> {
  const permit = authorise(ctx, "merchant:govern");
  await commit(permit, { verb: "decline_policy", subject: ctx.merchantId }, async (ledger) => {
    const { base } = await takeProposal(ctx, ledger, input);
    const entry = await ledger.append({ type: "policy.declined", subject: ctx.merchantId, data: { base } });
    return { result: undefined, entries: [entry], effects: [] };
  });
}

/** Removes the open proposal where it is the one that was seen. While it waits nothing else is published, so its base is in force. */
async function takeProposal({ merchantId }: Ctx, { db }: Ledger, { digest }: ProposalInput): Promise<{ base: number; rules: string; proposedBy: string }> {
  const proposal = await db.policyProposal.findUnique({ where: { merchantId } });
  if (!proposal) throw new Refusal("not_found", { detail: "No proposal waits" });
  if (proposal.digest !== digest) throw new Refusal("policy_moved", { detail: "Another proposal waits by now" });
  await db.policyProposal.delete({ where: { merchantId } });
  return proposal;
}
