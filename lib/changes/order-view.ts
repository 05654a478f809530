import type { Ctx, PersonActor } from "../kernel/context";
import { authorise, mayDo } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { tenant } from "../database/client";
import { readOrderFacts } from "../platforms/store/order-facts";
import { pageOfOrders, paymentShape } from "../platforms/store/orders";
import { readPolicyInForce } from "../guardrails/queries";
import type { MoneyCaps } from "../guardrails/schema";
import { readConflicts } from "./conflicts";
import { readCustomer } from "./beside";
import { changesOfOrder } from "./queue";
import type { OrderPage, OrderView } from "./view";

const PAGE = 50;

/** Orders for the console, newest first. */
export async function listOrders(ctx: Ctx<PersonActor>, { query, cursor }: { query?: string; cursor?: string }): Promise<OrderPage> {
  authorise(ctx, "orders:read");
  const { merchantId } = ctx;
  const { ids, nextCursor } = await pageOfOrders(merchantId, { query, cursor, limit: PAGE });
  const orders = await tenant(merchantId).order.findMany({
    where: { merchantId, id: { in: ids } }, include: { payment: true, customer: { select: { name: true } }, lines: { select: { quantity: true } } },
  });
  const byId = new Map(orders.map((order) => [order.id, order]));
  const items = ids.map((id) => {
    const { number, placedAt, customer, lines, currency, payment } = byId.get(id)!;
    const { capturedMinor, refundedMinor, heldMinor, stagedMinor } = paymentShape(payment!);
    return {
      id, number, placedAt: placedAt.toISOString(), customer: customer?.name ?? "no customer", lines: lines.length,
      pieces: lines.reduce((sum, { quantity }) => sum + quantity, 0), currency, capturedMinor, refundedMinor, heldMinor, stagedMinor,
    };
  });
  return { items, nextCursor };
}

/** One order with its lines, payment, refunds and changes. Refuses `not_found`, for another merchant's too. */
export async function readOrder(ctx: Ctx<PersonActor>, id: string): Promise<OrderView> {
  authorise(ctx, "orders:read");
  const { merchantId } = ctx;
  const order = await readOrderFacts(tenant(merchantId), merchantId, id);
  if (!order) throw new Refusal("not_found");
  const [customer, changes, refunds, conflicts, { policy, paused }] = await Promise.all([
    readCustomer(merchantId, order.customerId, ctx.now), changesOfOrder(merchantId, id),
    refundsOf(merchantId, id), readConflicts(merchantId, id, null), readPolicyInForce(merchantId),
  ]);
  return {
    id, number: order.number, placedAt: order.placedAt.toISOString(), currency: order.currency, customer,
    lines: order.lines.map((line) => ({
      id: line.id, title: line.title, sku: line.sku, quantity: line.quantity, paidMinor: String(line.paidMinor), refundedMinor: String(line.refundedMinor),
      heldMinor: String(line.heldMinor), refundedQuantity: line.refundedQuantity, heldQuantity: line.heldQuantity,
    })),
    shippingMinor: String(order.shippingMinor), shippingRefundedMinor: String(order.shippingRefundedMinor), shippingHeldMinor: String(order.shippingHeldMinor), payment: paymentShape(order.payment), changes,
    refunds, conflicts, proposal: mayDo(ctx.actor, "change:propose") ? proposalOf(policy.rules.max_operator_refund_amount, order.currency, paused) : null,
  };
}

function proposalOf(caps: MoneyCaps | undefined, currency: string, paused: boolean): OrderView["proposal"] {
  const capMinor = caps?.[currency] ?? null;
  return { capMinor, refused: paused ? "paused" : caps && capMinor === null ? "no_cap_for_currency" : null };
}

/** What was paid out on an order, a change each, newest first. */
async function refundsOf(merchantId: string, orderId: string): Promise<OrderView["refunds"]> {
  const rows = await tenant(merchantId).$queryRaw<{ changeId: string; reference: string; at: Date; amountMinor: bigint }[]>`
    SELECT c.id AS "changeId", (array_agg(w.reference ORDER BY w.item))[1] AS reference, max(w.done_at) AS at, sum(w.amount_minor)::bigint AS "amountMinor"
      FROM change c JOIN platform_write w ON w.merchant_id = c.merchant_id AND w.change_id = c.id
     WHERE c.order_id = ${orderId} AND c.merchant_id = ${merchantId} AND w.state = 'done' GROUP BY c.id ORDER BY max(w.done_at) DESC`;
  return rows.map(({ at, amountMinor, ...refund }) => ({ ...refund, at: at.toISOString(), amountMinor: String(amountMinor) }));
}
