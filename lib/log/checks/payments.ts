import type { Content } from "../../audit/content";
import { compare, readRanges, type Checking } from "./read";

type Sums = { refunded: bigint; held: bigint; refundedUnits: bigint; heldUnits: bigint };
type Line = { id: string; refunded: string; held: string; refundedUnits: string; heldUnits: string };
type Change = { state: string; content: string | null; amount: string; done: number[]; paid: string };
type Row = {
  id: string; order_id: string; captured: string; refunded: string; held: string; staged: string; shipping_refunded: string; shipping_held: string;
  lines: Line[]; changes: Change[];
};

// Amounts as text: a number in JSON would pass through a float.
const PAYMENTS = `
  SELECT p.id, p.order_id, p.captured_minor AS captured, p.refunded_minor AS refunded, p.held_minor AS held, p.staged_minor AS staged,
         o.shipping_refunded_minor AS shipping_refunded, o.shipping_held_minor AS shipping_held,
         (SELECT coalesce(json_agg(json_build_object('id', l.id, 'refunded', l.refunded_minor::text, 'held', l.held_minor::text,
                   'refundedUnits', l.refunded_quantity::text, 'heldUnits', l.held_quantity::text)), '[]')
            FROM order_line l WHERE l.order_id = p.order_id AND l.merchant_id = p.merchant_id) AS lines,
         (SELECT coalesce(json_agg(json_build_object('state', c.state, 'amount', c.amount_minor::text, 'content', t.content, 'done', w.done, 'paid', w.paid::text)), '[]')
            FROM change c LEFT JOIN change_content t ON t.merchant_id = c.merchant_id AND t.change_id = c.id
            CROSS JOIN LATERAL (SELECT coalesce(array_agg(x.item), '{}') AS done, coalesce(sum(x.amount_minor), 0) AS paid FROM platform_write x
                                 WHERE x.merchant_id = c.merchant_id AND x.change_id = c.id AND x.state = 'done') w
           WHERE c.order_id = p.order_id AND c.merchant_id = p.merchant_id AND c.payment_id = p.id) AS changes
    FROM payment p JOIN shop_order o ON o.merchant_id = p.merchant_id AND o.id = p.order_id
   WHERE p.merchant_id = $1 AND p.id > $2 ORDER BY p.id LIMIT $3`;

/** What payments, lines and shipping say is refunded and held, against the items that are done and the changes that hold. */
export async function checkPayments(checking: Checking): Promise<void> {
  for await (const rows of readRanges<Row>(PAYMENTS, checking.merchantId, ({ id }) => id)) {
    for (const row of rows) checkPayment(row, checking);
  }
}

const HOLDING = ["approved", "applying"];
const sum = (changes: readonly Change[], of: (change: Change) => bigint): string => changes.reduce((total, change) => total + of(change), 0n).toString();

function checkPayment(row: Row, checking: Checking): void {
  const place = `payment ${row.id}`;
  const refunded = sum(row.changes, ({ paid }) => BigInt(paid));
  const held = sum(row.changes, ({ state, amount, paid }) => (HOLDING.includes(state) ? BigInt(amount) - BigInt(paid) : 0n));
  const staged = sum(row.changes, ({ state, amount }) => (state === "staged" ? BigInt(amount) : 0n));
  compare({ refunded_minor: [row.refunded, refunded], held_minor: [row.held, held], staged_minor: [row.staged, staged] }, place, checking);
  if (BigInt(refunded) + BigInt(held) > BigInt(row.captured)) checking.report("over_refunded", place, `${refunded} refunded and ${held} held exceed the ${row.captured} captured`);
  if (row.changes.some(({ content }) => content === null)) return; // what its lines hold went with the content
  const parts = partsOf(row.changes);
  const shipping = parts.get(row.order_id) ?? NOTHING;
  compare({ shipping_refunded_minor: [row.shipping_refunded, String(shipping.refunded)], shipping_held_minor: [row.shipping_held, String(shipping.held)] }, `order ${row.order_id}`, checking);
  for (const line of row.lines) {
    const part = parts.get(line.id) ?? NOTHING;
    compare({
      refunded_minor: [line.refunded, String(part.refunded)], held_minor: [line.held, String(part.held)],
      refunded_quantity: [line.refundedUnits, String(part.refundedUnits)], held_quantity: [line.heldUnits, String(part.heldUnits)],
    }, `line ${line.id}`, checking);
  }
}

const NOTHING: Sums = { refunded: 0n, held: 0n, refundedUnits: 0n, heldUnits: 0n };

/** What is refunded and held, by line id, and by order id for shipping. */
function partsOf(changes: readonly Change[]): Map<string, Sums> {
  const parts = new Map<string, Sums>();
  for (const { state, content, done } of changes) {
    for (const [index, { target, before, after, quantity }] of (JSON.parse(content!) as Content).items.entries()) {
      const paid = done.includes(index);
      if (!paid && !HOLDING.includes(state)) continue;
      const part = parts.get(target) ?? { ...NOTHING };
      parts.set(target, part);
      part[paid ? "refunded" : "held"] += BigInt(after) - BigInt(before ?? "0");
      part[paid ? "refundedUnits" : "heldUnits"] += BigInt(quantity ?? 0);
    }
  }
  return parts;
}
