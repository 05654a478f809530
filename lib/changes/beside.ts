import { tenant } from "../database/client";
import { sql } from "../database/transactions";
import type { OrderFacts } from "../platforms/store/order-facts";
import type { LoadedChange } from "./load";
import type { AgentBeside, CustomerBeside, OrderBeside } from "./view";

const DAY = 24 * 60 * 60 * 1000;

/** What stands beside a change: its order, the customer's history and the agent's record. */
export async function readBeside(merchantId: string, change: LoadedChange, order: OrderFacts, now: Date): Promise<{ order: OrderBeside; customer: CustomerBeside; agent: AgentBeside | null }> {
  const [orderBeside, customer, agent] = await Promise.all([
    readOrderBeside(merchantId, change, order), readCustomer(merchantId, order.customerId, now), readAgent(merchantId, change, now),
  ]);
  return { order: orderBeside, customer, agent };
}

async function readOrderBeside(merchantId: string, change: LoadedChange, order: OrderFacts): Promise<OrderBeside> {
  const refunds = await refundsSince(merchantId, { orderId: order.id, not: change.id }, null);
  return {
    id: order.id, number: order.number, placedAt: order.placedAt.toISOString(), lines: order.lines.length,
    pieces: order.lines.reduce((sum, { quantity }) => sum + quantity, 0), paidMinor: String(order.payment.capturedMinor),
    otherRefunds: refunds.count, otherRefundsMinor: String(refunds.sum),
  };
}

/** A customer with orders of the last 12 months and refunds of the last 90 days. */
export async function readCustomer(merchantId: string, customerId: string | null, now: Date): Promise<CustomerBeside> {
  const customer = customerId && (await tenant(merchantId).customer.findUnique({ where: { merchantId_id: { merchantId, id: customerId } } }));
  if (!customer) return { id: null, name: "No customer", country: null, orders: 0, ordersMinor: "0", refunds: 0, refundsMinor: "0" };
  const year = new Date(now.getTime() - 365 * DAY);
  const quarter = new Date(now.getTime() - 90 * DAY);
  const [orders, refunds] = await Promise.all([
    tenant(merchantId).payment.aggregate({ where: { merchantId, order: { customerId: customer.id, placedAt: { gt: year } } }, _count: true, _sum: { capturedMinor: true } }),
    refundsSince(merchantId, { customerId: customer.id }, quarter),
  ]);
  return {
    id: customer.id, name: customer.name, country: customer.country, orders: orders._count, ordersMinor: String(orders._sum.capturedMinor ?? 0n),
    refunds: refunds.count, refundsMinor: String(refunds.sum),
  };
}

/** The agent's record of the last 30 days, by what became of its changes. */
async function readAgent(merchantId: string, { agentId, id }: LoadedChange, now: Date): Promise<AgentBeside | null> {
  if (agentId === null) return null;
  const since = new Date(now.getTime() - 30 * DAY);
  const [agent, states, key] = await Promise.all([
    tenant(merchantId).agent.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: agentId } } }),
    tenant(merchantId).change.groupBy({ by: ["state"], where: { merchantId, agentId, stagedAt: { gt: since } }, _count: true }),
    tenant(merchantId).$queryRaw<{ name: string }[]>`
      SELECT p.name FROM change c JOIN agent_key k ON k.merchant_id = c.merchant_id AND k.id = c.key_id JOIN person p ON p.id = k.made_by WHERE c.merchant_id = ${merchantId} AND c.id = ${id}`,
  ]);
  const count = (state: string) => states.find((each) => each.state === state)?._count ?? 0;
  return { id: agent.id, name: agent.name, applied: count("applied"), rejected: count("rejected"), failed: count("failed"), keyMadeBy: key[0]?.name ?? "" };
}

type Whose = { orderId: string; not: string } | { customerId: string };

/** Changes that paid something out, and how much, since a time. */
async function refundsSince(merchantId: string, whose: Whose, since: Date | null): Promise<{ count: number; sum: bigint }> {
  const which = "orderId" in whose ? sql`c.order_id = ${whose.orderId} AND c.id <> ${whose.not}` : sql`o.customer_id = ${whose.customerId}`;
  const [row] = await tenant(merchantId).$queryRaw<{ count: number; sum: bigint }[]>`
    SELECT count(DISTINCT c.id)::int AS count, coalesce(sum(w.amount_minor), 0)::bigint AS sum
      FROM shop_order o JOIN change c ON c.merchant_id = o.merchant_id AND c.order_id = o.id JOIN platform_write w ON w.merchant_id = c.merchant_id AND w.change_id = c.id
     WHERE o.merchant_id = ${merchantId} AND ${which} AND w.state = 'done' AND (${since}::timestamptz IS NULL OR w.done_at > ${since}::timestamptz)`;
  return row!;
}
