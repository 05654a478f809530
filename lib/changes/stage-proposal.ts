import { canonicalJson } from "../kernel/canonical-json";
import { entryActor, type AgentActor, type Ctx } from "../kernel/context";
import { newSalt, sha256Hex } from "../kernel/digest";
import { newId } from "../kernel/ids";
import type { Permit } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import type { Db } from "../database/transactions";
import { draftText } from "../log/append";
import type { RequestKey } from "../ledger/agent-write";
import { readPolicy } from "../guardrails/queries";
import type { Policy } from "../guardrails/schema";
import type { OrderFacts } from "../platforms/store/order-facts";
import type { Content, Item } from "./content";
import { judgeOn, type Judgement } from "./judge";
import { composeItems } from "./refund-items";
import type { RefundInput } from "./refund-input";
import { summaryOf } from "./summary";
import type { StageCall } from "./stage-call";
import { readStageFacts } from "./stage-facts";
import type { ChangeShape } from "./shape";

export type Proposal = { order: OrderFacts; items: Item[]; judgement: Judgement; policy: Policy; excludes: string[] };

/** Reads what staging this refund is judged on, and judges it: in the transaction of `db`, or as of now. */
export async function propose(ctx: Ctx<AgentActor>, sessionId: string, input: RefundInput, db?: Db): Promise<Proposal> {
  const { merchantId, now } = ctx;
  const { order, read, paused, policyVersion, excludes, eligible, velocity, otherRefunds } = await readStageFacts(ctx, sessionId, input.orderId, db);
  // Whether it exists elsewhere does not show: unread, unknown and foreign answer alike.
  if (!order || read === null || (input.lines && !read) || input.lines?.some(({ lineId }) => !order.lines.some(({ id }) => id === lineId))) throw new Refusal("not_in_session");
  if (input.amount && input.amount.currency !== order.payment.currency) throw new Refusal("currency_mismatch", { detail: `The payment is in ${order.payment.currency}` });
  const items = composeItems(input, order);
  const policy = await readPolicy(merchantId, policyVersion, db);
  const judgement = judgeOn(order, { id: null, stagedSeq: null, by: "agent", currency: order.currency, items, holding: false }, otherRefunds, { policy, paused, now, eligible, velocity });
  if (judgement.amountMinor <= 0n && judgement.violations.length === 0) throw new Refusal("invalid_input", { detail: "There is nothing to refund", fields: { lines: ["these lines were paid nothing, or are refunded already"] } });
  return { order, items, judgement, policy, excludes };
}

/** The proposal as `stage_change` writes it. */
export function prepare({ ctx }: Permit<AgentActor>, sessionId: string, request: RequestKey, input: RefundInput, { order, items, judgement, policy, excludes }: Proposal): StageCall {
  const { merchantId, actor, now } = ctx;
  const id = newId("chg");
  const expiresAt = expiryOf(input.expiresAt, now, policy);
  const content: Content = {
    v: 1, id, log: `undersigned/${merchantId}`, kind: "refund", summary: summaryOf(order, items, judgement.amountMinor), reason: input.reason,
    note: input.note ?? null, evidence: input.evidence ?? [], currency: order.currency, total: String(judgement.amountMinor), order: order.id, items,
    session: sessionId, agent: actor.id, policy: policy.version, salt: newSalt(), stagedAt: now.toISOString(), expiresAt: expiresAt.toISOString(), supersedes: null,
  };
  const bytes = canonicalJson(content);
  const digest = sha256Hex(bytes);
  const { required } = judgement.verdict;
  const data = {
    kind: "refund", currency: order.currency, total: content.total, payment: order.payment.id, captured: String(order.payment.capturedMinor),
    policy: policy.version, required, agent: actor.id, key: actor.keyId, session: sessionId, excludes,
  };
  const shape: ChangeShape = {
    id, kind: "refund", state: "staged", revision: 1, digest, content, required, approvals: [], verdict: judgement.verdict,
    createdAt: content.stagedAt, expiresAt: content.expiresAt,
  };
  return {
    merchantId, agentId: actor.id, keyId: actor.keyId, sessionId, request, id, content: bytes, digest, verdict: JSON.stringify(judgement.verdict),
    entry: draftText(entryActor(actor), { type: "change.staged", subject: id, data, revision: 1, digest }), body: JSON.stringify(shape),
    order, amountMinor: judgement.amountMinor, reason: input.reason, required, policy: policy.version, excludes, supersedes: null, stagedAt: now, expiresAt,
  };
}

const HOUR = 60 * 60 * 1000;
const LONGEST_HOURS = 720;

function expiryOf(asked: string | undefined, now: Date, { rules }: Policy): Date {
  if (asked === undefined) return new Date(now.getTime() + rules.expires_after_hours * HOUR);
  const at = new Date(asked);
  if (at <= now || at.getTime() > now.getTime() + LONGEST_HOURS * HOUR) throw new Refusal("invalid_input", { fields: { expiresAt: [`in the future, at most ${LONGEST_HOURS} hours away`] } });
  return at;
}
