import { compare, readRanges, type Checking } from "./read";

type Row = {
  id: string; change_id: string; item: number; revision: number; order_id: string; payment_id: string; currency: string; amount_minor: string;
  write_reference: string | null; write_amount: string | null; change_order: string | null; change_payment: string | null; change_currency: string | null;
};

const REFUNDS = `
  SELECT r.id, r.change_id, r.item, r.revision, r.order_id, r.payment_id, r.currency, r.amount_minor, w.reference AS write_reference, w.amount_minor AS write_amount,
         c.order_id AS change_order, c.payment_id AS change_payment, c.currency AS change_currency
    FROM store_refund r
    LEFT JOIN platform_write w ON w.merchant_id = r.merchant_id AND w.change_id = r.change_id AND w.item = r.item AND w.state = 'done'
    LEFT JOIN change c ON c.merchant_id = r.merchant_id AND c.id = r.change_id
   WHERE r.merchant_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3`;

/** Every refund of the built-in store against the item that it paid out. */
export async function checkRefunds(checking: Checking): Promise<void> {
  for await (const rows of readRanges<Row>(REFUNDS, checking.merchantId, ({ id }) => id)) {
    for (const row of rows) checkRefund(row, checking);
  }
}

function checkRefund(row: Row, checking: Checking): void {
  const place = `refund ${row.id}`;
  if (row.write_reference !== row.id) {
    checking.report("unlogged_write", place, `of ${row.change_id}, item ${row.item}, which ${row.write_reference ? `was paid as ${row.write_reference}` : "was not sent"}`);
    return;
  }
  compare({
    amount_minor: [row.amount_minor, row.write_amount], order_id: [row.order_id, row.change_order], payment_id: [row.payment_id, row.change_payment], currency: [row.currency, row.change_currency],
  }, place, checking);
}
