import { canonicalJson } from "../kernel/canonical-json";
import type { Ctx } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { commit } from "../ledger/commit";
import { PolicyRules } from "./schema";

/** Publishes the merchant's next policy version, whole, in the log. */
export async function publishPolicy(ctx: Ctx, input: PolicyRules): Promise<{ version: number }> {
  const permit = authorise(ctx, "merchant:govern");
  const rules = PolicyRules.parse(input);
  return commit(permit, { verb: "publish_policy", subject: ctx.merchantId }, async ({ db, now, policyVersion, append }) => {
    const version = policyVersion + 1;
    await db.policy.create({ data: { merchantId: ctx.merchantId, version, rules: canonicalJson(rules), publishedAt: now } });
    const entry = await append({ type: "policy.published", subject: ctx.merchantId, data: { version, rules } });
    return { result: { version }, entries: [entry], effects: [] };
  });
}
