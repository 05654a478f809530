import { canonicalJson } from "../kernel/canonical-json";
import type { EntryActor } from "../kernel/context";
import { newSalt, sha256Hex } from "../kernel/digest";
import { newId } from "../kernel/ids";
import { draftText } from "../log/append";
import type { Policy } from "../guardrails/schema";
import type { OrderFacts } from "../platforms/store/order-facts";
import type { Content, Item } from "./content";
import type { Judgement } from "./judge";
import type { ChangeShape } from "./shape";
import type { StagedRow } from "./staged-row";
import { summaryOf } from "./summary";

/** A refund that was judged and may be staged. */
export type Proposal = { order: OrderFacts; items: Item[]; judgement: Judgement; policy: Policy };

/** Who stages, from where, and in whose place. */
export type Origin = {
  stager: EntryActor;
  /** Where an agent stages. */
  keyId: string | null; sessionId: string | null;
  /** Persons who may not approve. */
  excludes: readonly string[];
  supersedes: string | null;
  /** Who lowered the change whose place this one takes, and is not its stager. */
  trimmedBy: string | null;
};
export type Words = Pick<Content, "reason" | "note" | "evidence"> & { stagedAt: Date; expiresAt: Date };
export type Composed = { row: StagedRow; shape: ChangeShape };

/** A refund as it is staged: its content and digest, its entry, its row. */
export function compose(merchantId: string, { order, items, judgement, policy }: Proposal, origin: Origin, words: Words): Composed {
  const { stager, keyId, sessionId, supersedes, trimmedBy } = origin;
  const { verdict, amountMinor } = judgement;
  const agentId = stager.kind === "agent" ? stager.id : null;
  const excludes = [...new Set(origin.excludes)].toSorted();
  const content: Content = {
    v: 1, id: newId("chg"), log: `undersigned/${merchantId}`, kind: "refund", summary: summaryOf(order, items, amountMinor), reason: words.reason,
    note: words.note, evidence: words.evidence, currency: order.currency, total: String(amountMinor), order: order.id, items, session: sessionId, agent: agentId,
    policy: policy.version, salt: newSalt(), stagedAt: words.stagedAt.toISOString(), expiresAt: words.expiresAt.toISOString(), supersedes,
  };
  const { id } = content;
  const bytes = canonicalJson(content);
  const digest = sha256Hex(bytes);
  const { required } = verdict;
  const data = {
    kind: "refund", currency: order.currency, total: content.total, payment: order.payment.id, captured: String(order.payment.capturedMinor), policy: policy.version, required,
    agent: agentId ?? undefined, key: keyId ?? undefined, session: sessionId ?? undefined, supersedes: supersedes ?? undefined, by: trimmedBy ?? undefined, excludes,
  };
  return {
    row: {
      merchantId, agentId, keyId, sessionId, stagedBy: stager.kind === "person" ? stager.id : null, trimmedBy, id, content: bytes, digest, verdict: JSON.stringify(verdict),
      entry: draftText(stager, { type: "change.staged", subject: id, data, revision: 1, digest }), order, amountMinor, reason: words.reason, required, policy: policy.version,
      excludes, supersedes, stagedAt: words.stagedAt, expiresAt: words.expiresAt,
    },
    shape: { id, kind: "refund", state: "staged", revision: 1, digest, content, required, approvals: [], verdict, createdAt: content.stagedAt, expiresAt: content.expiresAt },
  };
}
