import { entryActor, type AgentActor, type Ctx } from "../kernel/context";
import type { Permit } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { tenant } from "../database/client";
import type { Db } from "../database/transactions";
import type { RequestKey } from "../ledger/agent-write";
import { readPolicy } from "../guardrails/queries";
import type { Policy } from "../guardrails/schema";
import { compose, type Proposal } from "./compose";
import { judgeOn } from "./judge";
import { eligibleApprovers } from "./judged";
import type { LoadedChange } from "./load";
import { composeItems } from "./refund-items";
import type { RefundInput } from "./refund-input";
import { madeRoom, readReplaced } from "./replaced";
import type { StageCall } from "./stage-call";
import { readStageFacts } from "./stage-facts";

export type AgentProposal = Proposal & { excludes: string[]; /** The change whose place it takes. */ replaced: LoadedChange | null };

/** Reads what staging this refund is judged on, and judges it: in the transaction of `db`, or as of now. */
export async function propose(ctx: Ctx<AgentActor>, sessionId: string, input: RefundInput, db?: Db): Promise<AgentProposal> {
  const { merchantId, now } = ctx;
  const { order: found, ...read } = await readStageFacts(ctx, sessionId, input.orderId, db);
  // Whether it exists elsewhere does not show: unread, unknown and foreign answer alike.
  if (!found || read.read === null || (input.lines && !read.read) || input.lines?.some(({ lineId }) => !found.lines.some(({ id }) => id === lineId))) throw new Refusal("not_in_session");
  if (input.amount && input.amount.currency !== found.payment.currency) throw new Refusal("currency_mismatch", { detail: `The payment is in ${found.payment.currency}` });
  const reader = db ?? tenant(merchantId);
  const replaced = await readReplaced(reader, ctx, input);
  const { order, excludes, velocity, otherRefunds, paused, policyVersion } = replaced ? madeRoom({ ...read, order: found }, replaced) : { ...read, order: found };
  const eligible = replaced ? await eligibleApprovers(reader, merchantId, excludes) : read.eligible;
  const items = composeItems(input, order);
  const policy = await readPolicy(merchantId, policyVersion, db);
  const judgement = judgeOn(order, { id: null, stagedSeq: null, by: "agent", currency: order.currency, items, holding: false }, otherRefunds, { policy, paused, now, eligible, velocity });
  if (judgement.amountMinor <= 0n && judgement.violations.length === 0) throw new Refusal("invalid_input", { detail: "There is nothing to refund", fields: { lines: ["these lines were paid nothing, or are refunded already"] } });
  return { order, items, judgement, policy, excludes, replaced };
}

/** The proposal as `stage_change` writes it. */
export function prepare({ ctx }: Permit<AgentActor>, sessionId: string, request: RequestKey, input: RefundInput, { excludes, replaced, ...proposal }: AgentProposal): StageCall {
  const { merchantId, actor, now } = ctx;
  const { row, shape } = compose(
    merchantId, proposal,
    { stager: entryActor(actor), keyId: actor.keyId, sessionId, excludes, supersedes: replaced?.id ?? null, trimmedBy: null },
    { reason: input.reason, note: input.note ?? null, evidence: input.evidence ?? [], stagedAt: now, expiresAt: expiryOf(input.expiresAt, now, proposal.policy) },
  );
  return { ...row, agentId: actor.id, keyId: actor.keyId, sessionId, request, body: JSON.stringify(shape) };
}

const HOUR = 60 * 60 * 1000;
const LONGEST_HOURS = 720;

/** When a change staged now expires: as asked, or as the policy says. */
export function expiryOf(asked: string | undefined, now: Date, { rules }: Policy): Date {
  if (asked === undefined) return new Date(now.getTime() + rules.expires_after_hours * HOUR);
  const at = new Date(asked);
  if (at <= now || at.getTime() > now.getTime() + LONGEST_HOURS * HOUR) throw new Refusal("invalid_input", { fields: { expiresAt: [`in the future, at most ${LONGEST_HOURS} hours away`] } });
  return at;
}
