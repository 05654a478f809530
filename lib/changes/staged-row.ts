import type { OrderFacts } from "../platforms/store/order-facts";

/** A new change as it is written: by an agent in a session, or by a person. */
export type StagedRow = {
  merchantId: string; agentId: string | null; keyId: string | null; sessionId: string | null; stagedBy: string | null; trimmedBy: string | null;
  id: string; content: string; digest: string; verdict: string; entry: string;
  /** The order as it was judged. */
  order: OrderFacts;
  amountMinor: bigint; reason: string; required: number; policy: number; excludes: string[]; supersedes: string | null; stagedAt: Date; expiresAt: Date;
};
type Answered = { request: { key: string; hash: string }; body: string };

/** The members of `stage_item` (prisma/migrations), in its order; `answered` where the answer is kept for an Idempotency-Key. */
export function itemOf(row: StagedRow, answered: Answered | null) {
  const { payment } = row.order;
  return {
    session_id: row.sessionId, agent_id: row.agentId, key: answered?.request.key ?? null, request_hash: answered?.request.hash ?? null, id: row.id, content: row.content,
    digest: row.digest, verdict: row.verdict, entry: row.entry, body: answered?.body ?? null, key_id: row.keyId, order_id: row.order.id, payment_id: payment.id,
    currency: row.order.currency, amount_minor: String(row.amountMinor), reason: row.reason, required: row.required, policy: row.policy, excludes: row.excludes,
    supersedes: row.supersedes, staged_at: row.stagedAt, expires_at: row.expiresAt,
    seen: [payment.capturedMinor, payment.refundedMinor, payment.heldMinor, payment.disputedMinor, payment.stagedMinor].map(String),
    staged_by: row.stagedBy, trimmed_by: row.trimmedBy,
  };
}
