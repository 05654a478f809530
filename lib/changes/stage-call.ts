import { observe } from "../kernel/metrics";
import { pool } from "../database/client";
import type { Db } from "../database/transactions";
import type { Answer, RequestKey } from "../ledger/agent-write";
import { itemOf, type StagedRow } from "./staged-row";
import { Together } from "./together";

/** `stage_change` refuses `moved` where the order's payment stands otherwise than it was judged. */
export type StageCall = StagedRow & { agentId: string; keyId: string; sessionId: string; request: RequestKey; body: string };
export type StageOutcome =
  | { outcome: "staged" | "replayed"; answer: Answer }
  | { outcome: "moved" | "session_busy" | "idempotency_in_progress" | "idempotency_mismatch" };
type Told = { outcome: StageOutcome["outcome"]; status: number; body: string };
type Row = Omit<Told, "outcome"> & { outcome: Told["outcome"] | "alone" };

const FIELDS = 25;
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
  const [row] = await db.$queryRaw<Told[]>`SELECT outcome, status, body FROM stage_change(${call.merchantId}, jsonb_populate_record(NULL::stage_item, ${JSON.stringify(itemOf(call, call))}::jsonb))`;
  return outcomeOf(row!);
}

const outcomeOf = ({ outcome, status, body }: Told): StageOutcome => (outcome === "staged" || outcome === "replayed" ? { outcome, answer: { status, body } } : { outcome });

/** The statement that stages one call in a commit of its own. */
export const oneStatement = (call: StageCall) => ({ name: "stage_change", text: ONE, values: [call.merchantId, ...Object.values(itemOf(call, call))] });

async function sendOne(call: StageCall): Promise<Row> {
  const { rows } = await pool().query<Row>(oneStatement(call));
  return rows[0]!;
}

async function sendMany(merchantId: string, calls: readonly StageCall[]): Promise<Row[]> {
  const { rows } = await pool().query<Row>({ name: "stage_changes", text: MANY, values: [merchantId, JSON.stringify(calls.map((call) => itemOf(call, call)))] });
  return Promise.all(rows.map(async (row, index) => (row.outcome === "alone" ? sendOne(calls[index]!) : row)));
}

const together = new Together<StageCall, Told>(async (merchantId, calls) => (calls.length === 1 ? [await sendOne(calls[0]!)] : await sendMany(merchantId, calls)) as Told[]);
