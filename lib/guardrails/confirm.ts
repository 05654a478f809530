import { z } from "zod";
import { canonicalJson, type Json } from "../kernel/canonical-json";
import type { Ctx, EntryActor, PersonActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { hasAnotherAdmin } from "../identity/admins";
import { commit, type Ledger } from "../ledger/commit";
import { putInForce, type Published } from "./publish";
import { PolicyRules } from "./schema";

/** The digest of the rules that were on screen. */
export const ProposalInput = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) });
export type ProposalInput = z.infer<typeof ProposalInput>;
type Proposed = { merchantId: string; base: number; rules: string; proposedBy: string };

/** Puts another admin's proposal in force, as it was seen. Its author may only where nobody else is left to. */
export async function confirmPolicy(ctx: Ctx<PersonActor>, input: ProposalInput): Promise<Published> {
  const permit = authorise(ctx, "merchant:govern");
  return commit(permit, { verb: "confirm_policy", subject: ctx.merchantId }, async (ledger) => {
    const proposal = await takeProposal(ctx, ledger, input);
    await requireTold(ledger, proposal);
    if (proposal.proposedBy === ctx.actor.id && (await hasAnotherAdmin(ledger.db, ctx.merchantId, ctx.actor))) throw new Refusal("needs_another_admin");
    return putInForce(ctx, ledger, PolicyRules.parse(JSON.parse(proposal.rules)));
  });
}

/** What is put in force, and whose it is, is what the log tells: not the row alone. */
async function requireTold({ db }: Ledger, { merchantId, base, rules, proposedBy }: Proposed): Promise<void> {
  const told = await db.entry.findFirst({ where: { merchantId, subject: merchantId, type: "policy.proposed" }, orderBy: { seq: "desc" }, select: { entry: true } });
  const { actor, data } = JSON.parse(told?.entry ?? "{}") as { actor?: EntryActor; data?: Json };
  if (actor?.id !== proposedBy || canonicalJson(data ?? null) !== `{"base":${base},"rules":${rules}}`) throw new Refusal("policy_moved", { detail: "The log tells of another proposal" });
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
async function takeProposal({ merchantId }: Ctx, { db }: Ledger, { digest }: ProposalInput): Promise<Proposed> {
  const proposal = await db.policyProposal.findUnique({ where: { merchantId } });
  if (!proposal) throw new Refusal("not_found", { detail: "No proposal waits" });
  if (proposal.digest !== digest) throw new Refusal("policy_moved", { detail: "Another proposal waits by now" });
  await db.policyProposal.delete({ where: { merchantId } });
  return proposal;
}
