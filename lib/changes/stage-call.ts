import { observe } from "../kernel/metrics";
import { pool } from "../database/client";
import type { Db } from "../database/transactions";
import type { Answer, RequestKey } from "../ledger/agent-write";
import type { OrderFacts } from "../platforms/store/order-facts";
import { Together } from "./together";

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
type Told = { outcome: StageOutcome["outcome"]; status: number; body: string };
type Row = Omit<Told, "outcome"> & { outcome: Told["outcome"] | "alone" };

const FIELDS = 23;
const ONE = `SELECT outcome, status, body FROM stage_change($1, ROW(${Array.from({ length: FIELDS }, (_, i) => `$${i + 2}`).join(",")})::stage_item)`;
const MANY = "SELECT outcome, status, body FROM stage_changes($1, $2) ORDER BY n";

/** The hot verb's one round trip: `stage_change` locks, compares and writes. Calls of one merchant that wait meanwhile are committed together. */
export async function stageCall(call: StageCall): Promise<StageOutcome> {
  const started = performance.now();
  const row = await together.call(call.merchantId, call);
  observe("undersigned_commit_seconds", { verb: "stage" }, (performance.now() - started) / 1000);
  return outcomeOf(row);
}

/** The same inside a transaction that holds the log's lock already. */
export async function stageIn(db: Db, call: StageCall): Promise<StageOutcome> {
  const [row] = await db.$queryRaw<Told[]>`SELECT outcome, status, body FROM stage_change(${call.merchantId}, jsonb_populate_record(NULL::stage_item, ${JSON.stringify(itemOf(call))}::jsonb))`;
  return outcomeOf(row!);
}

const outcomeOf = ({ outcome, status, body }: Told): StageOutcome => (outcome === "staged" || outcome === "replayed" ? { outcome, answer: { status, body } } : { outcome });

/** The statement that stages one call in a commit of its own. */
export const oneStatement = (call: StageCall) => ({ name: "stage_change", text: ONE, values: [call.merchantId, ...Object.values(itemOf(call))] });

async function sendOne(call: StageCall): Promise<Row> {
  const { rows } = await pool().query<Row>(oneStatement(call));
  return rows[0]!;
}

async function sendMany(merchantId: string, calls: readonly StageCall[]): Promise<Row[]> {
  const { rows } = await pool().query<Row>({ name: "stage_changes", text: MANY, values: [merchantId, JSON.stringify(calls.map(itemOf))] });
  return Promise.all(rows.map(async (row, index) => (row.outcome === "alone" ? sendOne(calls[index]!) : row)));
}

const together = new Together<StageCall, Told>(async (merchantId, calls) => (calls.length === 1 ? [await sendOne(calls[0]!)] : await sendMany(merchantId, calls)) as Told[]);

/** The members of `stage_item`, in its order. */
function itemOf(c: StageCall) {
  const { payment } = c.order;
  return {
    session_id: c.sessionId, agent_id: c.agentId, key: c.request.key, request_hash: c.request.hash, id: c.id, content: c.content, digest: c.digest, verdict: c.verdict, entry: c.entry,
    body: c.body, key_id: c.keyId, order_id: c.order.id, payment_id: payment.id, currency: c.order.currency, amount_minor: String(c.amountMinor), reason: c.reason, required: c.required,
    policy: c.policy, excludes: c.excludes, supersedes: c.supersedes, staged_at: c.stagedAt, expires_at: c.expiresAt,
    seen: [payment.capturedMinor, payment.refundedMinor, payment.heldMinor, payment.disputedMinor, payment.stagedMinor].map(String),
  };
}
