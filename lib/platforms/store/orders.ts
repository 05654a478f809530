import { Refusal } from "../../kernel/refusal";
import { tenant } from "../../database/client";
import { sql, type Sql } from "../../database/transactions";
import { remainingOf, readOrderFacts, type OrderFacts } from "./order-facts";

/** An order as the API shows it (DESIGN section 8). A list leaves `lines` out: only the order itself proves its lines. */
export type OrderShape = {
  id: string; number: string; currency: string; placedAt: string; customerId: string | null;
  lines?: { id: string; title: string; quantity: number; paidMinor: string; refundedMinor: string }[];
  shippingMinor: string;
  payment: { id: string; capturedMinor: string; refundedMinor: string; heldMinor: string; disputedMinor: string; stagedMinor: string; refundableMinor: string };
};

export async function readOrderShape(merchantId: string, orderId: string): Promise<OrderShape | null> {
  const order = await readOrderFacts(tenant(merchantId), merchantId, orderId);
  if (!order) return null;
  const lines = order.lines.map(({ id, title, quantity, paidMinor, refundedMinor }) => ({ id, title, quantity, paidMinor: String(paidMinor), refundedMinor: String(refundedMinor) }));
  return { ...toShape(order), lines };
}

const toShape = (order: Omit<OrderFacts, "lines">): OrderShape => ({
  id: order.id, number: order.number, currency: order.currency, placedAt: order.placedAt.toISOString(), customerId: order.customerId,
  shippingMinor: String(order.shippingMinor), payment: paymentShape(order.payment),
});

export function paymentShape(payment: OrderFacts["payment"]): OrderShape["payment"] {
  const remaining = remainingOf(payment);
  return {
    id: payment.id, capturedMinor: String(payment.capturedMinor), refundedMinor: String(payment.refundedMinor), heldMinor: String(payment.heldMinor),
    disputedMinor: String(payment.disputedMinor), stagedMinor: String(payment.stagedMinor), refundableMinor: String(remaining > 0n ? remaining : 0n),
  };
}

export type OrderSearch = { query?: string; cursor?: string; limit: number };

/** Orders newest first: ids of a page and the cursor of the next. `query` is the start of a number or a part of the customer's name or number. */
export async function pageOfOrders(merchantId: string, { query, cursor, limit }: OrderSearch): Promise<{ ids: string[]; nextCursor: string | null }> {
  const after = cursor ? readCursor(cursor) : null;
  const rows = await tenant(merchantId).$queryRaw<{ id: string; placedAt: Date }[]>`
    SELECT o.id, o.placed_at AS "placedAt" FROM shop_order o WHERE o.merchant_id = ${merchantId} AND ${matches(query)}
       AND ${after ? sql`(o.placed_at, o.id) < (${after.placedAt}::timestamptz, ${after.id})` : sql`true`}
     ORDER BY o.placed_at DESC, o.id DESC LIMIT ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { ids: page.map(({ id }) => id), nextCursor: rows.length > limit && last ? writeCursor(last) : null };
}

function matches(query: string | undefined): Sql {
  const asked = query?.trim();
  if (!asked) return sql`true`;
  const escaped = asked.replaceAll(/[\\%_]/g, (c) => `\\${c}`);
  return sql`(o.number ILIKE ${`${escaped}%`} OR EXISTS (SELECT FROM customer u WHERE u.merchant_id = o.merchant_id AND u.id = o.customer_id AND (u.name ILIKE ${`%${escaped}%`} OR u.number ILIKE ${`${escaped}%`})))`;
}

/** Summaries of the orders with these ids, in their order. */
export async function listOrderShapes(merchantId: string, ids: readonly string[]): Promise<OrderShape[]> {
  const orders = await tenant(merchantId).order.findMany({ where: { merchantId, id: { in: [...ids] } }, include: { payment: true } });
  const byId = new Map(orders.map((order) => [order.id, order]));
  return ids.flatMap((id) => {
    const order = byId.get(id);
    return order?.payment ? [toShape({ ...order, payment: order.payment })] : [];
  });
}

// Opaque to callers: the place of the last row in the order of the list.
const writeCursor = ({ placedAt, id }: { placedAt: Date; id: string }): string => Buffer.from(`${placedAt.toISOString()} ${id}`).toString("base64url");

const CURSOR = /^([1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (ord-[A-Za-z0-9_-]{10})$/;

function readCursor(cursor: string): { placedAt: Date; id: string } {
  const [, at = "", id = ""] = CURSOR.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  const placedAt = new Date(at);
  if (Number.isNaN(placedAt.getTime())) throw new Refusal("invalid_input", { detail: "Check ?cursor", fields: { "?cursor": ["not one that a list gave"] } });
  return { placedAt, id };
}
