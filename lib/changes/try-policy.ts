import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import type { Verdict, Violation } from "../kernel/verdict";
import { tenant } from "../database/client";
import { replay, type Outcome } from "../guardrails/replay";
import { PolicyRules } from "../guardrails/schema";

/** A draft, and where to go on: the last page's `next`. */
export const TryInput = z.strictObject({ rules: PolicyRules, before: z.string().regex(/^\d{1,18}$/).nullish() });
export type TryInput = z.infer<typeof TryInput>;

export type TriedRow = {
  /** Null for a proposal that was refused: it never became a change. */
  changeId: string | null;
  orderId: string;
  orderNumber: string;
  at: string;
  currency: string;
  amountMinor: string;
  outcome: Outcome;
  was: number | null;
  now: number | null;
  broken: Violation | null;
  unjudged: string[];
};
/** `total` is how many there are in all, on the first page. */
export type TriedPage = { rows: TriedRow[]; next: string | null; total: number | null };

type Row = {
  seq: bigint; at: Date; changeId: string | null; orderId: string; orderNumber: string; by: "agent" | "person"; currency: string; amountMinor: bigint; capturedMinor: bigint; verdict: string;
};
const PAGE = 500;

/** A page of what was ever proposed, newest first, judged by a draft as it was judged then. Nothing is written. */
export async function tryPolicy(ctx: Ctx<PersonActor>, { rules, before }: TryInput): Promise<TriedPage> {
  authorise(ctx, "changes:read");
  const { merchantId } = ctx;
  const [found, total] = await Promise.all([readPast(merchantId, before ? BigInt(before) : null), before ? null : countPast(merchantId)]);
  const rows = found.map(({ seq: _, at, by, capturedMinor, amountMinor, verdict, ...row }): TriedRow => ({
    ...row, at: at.toISOString(), amountMinor: String(amountMinor),
    ...replay(rules, { by, currency: row.currency, amountMinor, capturedMinor, verdict: JSON.parse(verdict) as Verdict }),
  }));
  return { rows, next: found.length === PAGE ? String(found.at(-1)!.seq) : null, total };
}

/** By the log's order, which does not move while it is walked. */
const readPast = (merchantId: string, before: bigint | null): Promise<Row[]> => tenant(merchantId).$queryRaw<Row[]>`
  SELECT e.seq, e.at, c.id AS "changeId", o.id AS "orderId", o.number AS "orderNumber",
         CASE WHEN c.id IS NULL THEN r.proposed_by WHEN c.agent_id IS NULL THEN 'person' ELSE 'agent' END AS "by",
         coalesce(c.currency, r.currency) AS currency, coalesce(c.amount_minor, r.amount_minor) AS "amountMinor",
         CASE WHEN c.id IS NULL THEN r.captured_minor ELSE (e.entry::json #>> '{data,captured}')::bigint END AS "capturedMinor", coalesce(v.verdict, r.verdict) AS verdict
    FROM entry e
    LEFT JOIN change c ON e.type = 'change.staged' AND c.merchant_id = e.merchant_id AND c.id = e.subject
    LEFT JOIN change_verdict v ON v.merchant_id = c.merchant_id AND v.change_id = c.id
    LEFT JOIN refused_proposal r ON e.type = 'change.refused' AND r.merchant_id = e.merchant_id AND r.seq = e.seq
    JOIN shop_order o ON o.merchant_id = e.merchant_id AND o.id = coalesce(c.order_id, r.order_id)
   WHERE e.merchant_id = ${merchantId} AND (${before}::bigint IS NULL OR e.seq < ${before}::bigint) AND e.type IN ('change.staged', 'change.refused') AND coalesce(v.verdict, r.verdict) IS NOT NULL
   ORDER BY e.seq DESC LIMIT ${PAGE}`;

async function countPast(merchantId: string): Promise<number> {
  const db = tenant(merchantId);
  const [changes, refused] = await Promise.all([db.change.count({ where: { merchantId } }), db.refusedProposal.count({ where: { merchantId } })]);
  return changes + refused;
}
