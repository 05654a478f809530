import { pool } from "../database/client";
import type { Answer, RequestKey } from "../ledger/agent-write";
import type { OrderFacts } from "../platforms/store/order-facts";

export type StageCall = {
  merchantId: string; agentId: string; keyId: string; sessionId: string; request: RequestKey;
  id: string; content: string; digest: string; verdict: string; entry: string; body: string;
  /** The order as it was judged: the call refuses `moved` where its payment stands otherwise. */
  order: OrderFacts;
  amountMinor: bigint; reason: string; required: number; policy: number; excludes: string[]; supersedes: string | null; stagedAt: Date; expiresAt: Date;
};
export type StageOutcome =
  | { outcome: "staged" | "replayed"; answer: Answer }
  | { outcome: "moved" | "session_busy" | "idempotency_in_progress" | "idempotency_mismatch" };

const STAGE = `SELECT outcome, status, body FROM stage_change(${Array.from({ length: 24 }, (_, i) => `$${i + 1}`).join(",")})`;

/** The hot verb's one round trip: locks, re-checks and writes in `stage_change` (prisma/migrations). */
export async function stageCall(c: StageCall): Promise<StageOutcome> {
  const { payment } = c.order;
  const seen = [payment.capturedMinor, payment.refundedMinor, payment.heldMinor, payment.disputedMinor, payment.stagedMinor].map(String);
  const values = [
    c.merchantId, c.agentId, c.sessionId, c.request.key, c.request.hash, c.id, c.content, c.digest, c.verdict, c.entry, c.body,
    c.keyId, c.order.id, payment.id, c.order.currency, String(c.amountMinor), c.reason, c.required, c.policy, c.excludes, c.supersedes,
    c.stagedAt, c.expiresAt, seen,
  ];
  const { rows } = await pool().query<{ outcome: StageOutcome["outcome"]; status: number; body: string }>({ name: "stage_change", text: STAGE, values });
  const { outcome, status, body } = rows[0]!;
  return outcome === "staged" || outcome === "replayed" ? { outcome, answer: { status, body } } : { outcome };
}
