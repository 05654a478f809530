import { tenant } from "../database/client";
import type { ChangeState } from "./lifecycle";
import type { Conflict } from "./view";

type Row = { id: string; state: ChangeState; amountMinor: bigint; required: number; stager: string; signers: string[] };

/** What is staged or held against the payment of an order, oldest first; `but` one change. */
export async function readConflicts(merchantId: string, orderId: string, but: string | null): Promise<Conflict[]> {
  const rows = await tenant(merchantId).$queryRaw<Row[]>`
    SELECT c.id, c.state, c.amount_minor AS "amountMinor", c.required, coalesce(a.name, p.name, '') AS stager,
           ARRAY(SELECT q.name FROM standing_approvals(c.merchant_id, c.id) s JOIN person q ON q.id = s.person_id ORDER BY s.revision) AS signers
      FROM change c LEFT JOIN agent a ON a.merchant_id = c.merchant_id AND a.id = c.agent_id LEFT JOIN person p ON p.id = c.staged_by
     WHERE c.order_id = ${orderId} AND c.merchant_id = ${merchantId} AND c.state IN ('staged', 'approved', 'applying') AND c.id IS DISTINCT FROM ${but}
     ORDER BY c.staged_seq`;
  return rows.map(({ amountMinor, ...row }) => ({ ...row, amountMinor: String(amountMinor), have: row.signers.length }));
}
