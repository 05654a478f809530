import type { Ctx, PersonActor } from "../kernel/context";
import { entryActor } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { tenant } from "../database/client";
import { authoriseDecision } from "../ledger/authorise-decision";
import { commit } from "../ledger/commit";
import { Unclear, type PaymentOnPlatform, type Platform } from "../platforms/platform";
import { paymentElsewhere, platformOf } from "../platforms/registry";
import { beginApply } from "./begin-apply";
import type { Decided } from "./decided";
import { driveItems } from "./drive-items";
import { expiryBlocker } from "./approval-blocker";
import { judgeHeld } from "./judge-held";
import { loadChange } from "./load";
import type { RetractInput } from "./retract";

/** Tries a failed change again on today's rules: it takes its hold again and is applied, or is refused and stays failed. */
export async function retryChange(ctx: Ctx<PersonActor>, input: RetractInput): Promise<Decided> {
  const permit = await authoriseDecision(ctx, "change:decide", "retry", input.changeId);
  const platform = await platformOf(tenant(ctx.merchantId), ctx.merchantId);
  const elsewhere = await readElsewhere(ctx.merchantId, input.changeId, platform);
  const decided = await commit<Decided>(permit, { verb: "retry", subject: input.changeId, fallback: ctx.actor.id }, async (ledger) => {
    const change = await loadChange(ledger.db, ctx.merchantId, input.changeId);
    if (change.state !== "failed") throw new Refusal(change.state === "staged" ? "not_failed" : `change_already_${change.state}`);
    const expired = expiryBlocker(change, ledger.now);
    if (expired) throw expired;
    if (change.excludes.includes(ctx.actor.id)) throw new Refusal("self_approval");
    if (change.digest !== input.seenDigest) throw new Refusal("change_moved");

    const { judgement, cause } = await judgeHeld(ledger, change, elsewhere);
    if (cause?.cause === "quorum_not_met") throw new Refusal("quorum_not_met");
    if (cause) throw new Refusal("guardrail_violation", { violations: judgement.violations });

    const { result, entries, effects } = await beginApply(ledger, change, platform, judgement.verdict.policy, entryActor(ctx.actor));
    return { result: { verb: "retry", changeId: change.id, at: result.at, leafHash: result.leafHash, effectiveAt: null }, entries, effects };
  });
  await driveItems(ctx.merchantId, input.changeId).catch(() => undefined); // the outbox has it too
  return decided;
}

/** The payment as the platform has it now, read before the log is locked. */
async function readElsewhere(merchantId: string, changeId: string, platform: Platform): Promise<PaymentOnPlatform | null> {
  const change = await tenant(merchantId).change.findUnique({ where: { merchantId_id: { merchantId, id: changeId } }, select: { paymentId: true } });
  try {
    return change && (await paymentElsewhere(platform, tenant(merchantId), { merchantId, id: change.paymentId }));
  } catch (error) {
    throw error instanceof Unclear ? new Refusal("unavailable", { detail: "The platform does not answer; nothing was sent" }) : error;
  }
}
