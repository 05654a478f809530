import { readEntry } from "../../audit/entry";
import { compare, readRanges, type Checking } from "./read";

type Row = { id: string; change_id: string; revision: number; order_id: string; payment_id: string; currency: string; amount_minor: string; entry: string | null; staged: string | null; change_order: string | null };

const REFUNDS = `
  SELECT r.id, r.change_id, r.revision, r.order_id, r.payment_id, r.currency, r.amount_minor, e.entry, s.entry AS staged, c.order_id AS change_order
    FROM store_refund r
    LEFT JOIN entry e ON e.merchant_id = r.merchant_id AND e.subject = r.change_id AND e.revision = r.revision AND e.type = 'change.applied'
    LEFT JOIN entry s ON s.merchant_id = r.merchant_id AND s.subject = r.change_id AND s.revision = 1
    LEFT JOIN change c ON c.merchant_id = r.merchant_id AND c.id = r.change_id
   WHERE r.merchant_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3`;

/** Every refund of the built-in store against the entry that applied it. */
export async function checkRefunds(checking: Checking): Promise<void> {
  for await (const rows of readRanges<Row>(REFUNDS, checking.merchantId, ({ id }) => id)) {
    for (const row of rows) checkRefund(row, checking);
  }
}

function checkRefund(row: Row, checking: Checking): void {
  const place = `refund ${row.id}`;
  if (row.entry === null) {
    checking.report("unlogged_write", place, `of ${row.change_id} at revision ${row.revision}, which no entry applies`);
    return;
  }
  const applied = readEntry(row.entry).entry;
  const staged = row.staged === null ? null : readEntry(row.staged).entry;
  if (applied?.type === "change.applied" && !applied.data.references.includes(row.id)) {
    checking.report("unlogged_write", place, `${row.change_id} was applied as ${applied.data.references.join(", ") || "nothing"}`);
  }
  if (staged?.type !== "change.staged") return;
  const { data } = staged;
  compare({
    amount_minor: [row.amount_minor, data.total], currency: [row.currency, data.currency], payment_id: [row.payment_id, data.payment], order_id: [row.order_id, row.change_order],
  }, place, checking);
}
