import { canonicalJson } from "../kernel/canonical-json";
import type { Ctx } from "../kernel/context";
import { sha256Hex } from "../kernel/digest";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { hasAnotherAdmin } from "../identity/admins";
import { commit, type Committed, type Ledger } from "../ledger/commit";
import { PolicyRules } from "./schema";

/** An entry holds 60,000 bytes, the whole policy among them. */
const LONGEST = 50_000;

/** `version` is null where the policy waits for another admin. */
export type Published = { version: number | null };

/**
 * Publishes the merchant's next policy version, whole, in the log; where another admin governs too, proposes it to them instead.
 * `base` is the version that the caller edited: refused `policy_moved` where it is no longer in force.
 */
export async function publishPolicy(ctx: Ctx, input: PolicyRules, base?: number): Promise<Published> {
  const permit = authorise(ctx, "merchant:govern");
  const rules = PolicyRules.parse(input);
  const text = canonicalJson(rules);
  if (text.length > LONGEST) throw new Refusal("invalid_input", { detail: `A policy has at most ${LONGEST.toLocaleString("en")} characters; this one has ${text.length.toLocaleString("en")}` });
  return commit<Published>(permit, { verb: "publish_policy", subject: ctx.merchantId }, async (ledger) => {
    const { db, now, policyVersion, append } = ledger;
    if (base !== undefined && base !== policyVersion) throw new Refusal("policy_moved", { detail: `Version ${policyVersion} is in force by now; you edited version ${base}` });
    if (await db.policyProposal.findUnique({ where: { merchantId: ctx.merchantId }, select: { base: true } })) throw new Refusal("proposal_open");
    if (ctx.actor.kind !== "person" || !(await hasAnotherAdmin(db, ctx.merchantId, ctx.actor))) return putInForce(ctx, ledger, rules);

    await db.policyProposal.create({ data: { merchantId: ctx.merchantId, base: policyVersion, rules: text, digest: sha256Hex(text), proposedBy: ctx.actor.id, proposedAt: now } });
    const entry = await append({ type: "policy.proposed", subject: ctx.merchantId, data: { base: policyVersion, rules } });
    return { result: { version: null }, entries: [entry], effects: [] };
  });
}

/** The next version, in force from its entry on. */
export async function putInForce(ctx: Ctx, { db, now, policyVersion, append }: Ledger, rules: PolicyRules): Promise<Committed<Published>> {
  const version = policyVersion + 1;
  await db.policy.create({ data: { merchantId: ctx.merchantId, version, rules: canonicalJson(rules), publishedAt: now } });
  const entry = await append({ type: "policy.published", subject: ctx.merchantId, data: { version, rules } });
  return { result: { version }, entries: [entry], effects: [] };
}
