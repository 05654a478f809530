import type { Ctx, PersonActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { tenant } from "../database/client";
import { sql, type Sql } from "../database/transactions";
import { amountOf, isLineItem, parseContent } from "./content";
import type { ChangeState } from "./lifecycle";
import { readReproposed } from "./reproposed";
import type { QueuePage, QueueRow, ViewName } from "./view";

const PAGE = 50;

// States are literals, so that the planner sees the partial indexes.
const WHERE: Record<ViewName, (personId: string) => Sql> = {
  waiting: (personId) => sql`c.state = 'staged' AND NOT EXISTS (SELECT FROM standing_approvals(c.merchant_id, c.id) s WHERE s.person_id = ${personId})`,
  second: () => sql`c.state = 'staged' AND EXISTS (SELECT FROM counting_approvals(c.merchant_id, c.id))`,
  attention: () => sql`c.state IN ('failed','applying') AND (c.state = 'failed' OR EXISTS (
    SELECT FROM platform_write w WHERE w.merchant_id = c.merchant_id AND w.change_id = c.id AND w.state = 'sending' AND w.sent_at < ledger_clock() - interval '10 seconds'))`,
  scheduled: () => sql`c.state = 'approved' AND (c.effective_at IS NULL OR EXISTS (
    SELECT FROM change_schedule s WHERE s.merchant_id = c.merchant_id AND s.change_id = c.id AND s.at = c.effective_at))`,
  expired: () => sql`c.state = 'expired'`,
};

export type Row = {
  id: string; state: ChangeState; seq: bigint; number: string; customer: string | null; currency: string; amountMinor: bigint; reason: string;
  required: number; have: number; stagedAt: Date; expiresAt: Date; effectiveAt: Date | null; content: string | null;
};

/** A page of a view, newest first; the cursor is the seq of `change.staged`, so that no row is lost or repeated while others write. */
export async function listChanges(ctx: Ctx<PersonActor>, { view, cursor }: { view: ViewName; cursor?: string }): Promise<QueuePage> {
  authorise(ctx, "changes:read");
  const before = cursor && /^\d{1,18}$/.test(cursor) ? BigInt(cursor) : null;
  const [rows, counts, last] = await Promise.all([
    readRows(ctx.merchantId, sql`${WHERE[view](ctx.actor.id)} AND (${before}::bigint IS NULL OR c.staged_seq < ${before}::bigint)`, PAGE + 1),
    countViews(ctx), tenant(ctx.merchantId).decision.findFirst({ where: { merchantId: ctx.merchantId }, orderBy: { at: "desc" }, select: { at: true } }),
  ]);
  const page = rows.slice(0, PAGE);
  return {
    items: await toQueueRows(ctx.merchantId, page), nextCursor: rows.length > PAGE ? String(page.at(-1)!.seq) : null, counts,
    lastDecisionAt: last?.at.toISOString() ?? null,
  };
}

/** Every change of an order, newest first. */
export const changesOfOrder = async (merchantId: string, orderId: string): Promise<QueueRow[]> =>
  toQueueRows(merchantId, await readRows(merchantId, sql`c.order_id = ${orderId}`, 200));

/** Rows of changes `c` under a condition, newest proposal first. */
export function readRows(merchantId: string, where: Sql, limit: number): Promise<Row[]> {
  return tenant(merchantId).$queryRaw<Row[]>`
    SELECT c.id, c.state, c.staged_seq AS seq, o.number, u.name AS customer, c.currency, c.amount_minor AS "amountMinor", c.reason, c.required,
           (SELECT count(*)::int FROM counting_approvals(c.merchant_id, c.id)) AS have, c.staged_at AS "stagedAt", c.expires_at AS "expiresAt", c.effective_at AS "effectiveAt", t.content
      FROM change c JOIN shop_order o ON o.merchant_id = c.merchant_id AND o.id = c.order_id
      LEFT JOIN customer u ON u.merchant_id = o.merchant_id AND u.id = o.customer_id
      LEFT JOIN change_content t ON t.merchant_id = c.merchant_id AND t.change_id = c.id
     WHERE c.merchant_id = ${merchantId} AND ${where} ORDER BY c.staged_seq DESC LIMIT ${limit}`;
}

export async function toQueueRows(merchantId: string, rows: readonly Row[]): Promise<QueueRow[]> {
  const largest = rows.map((row) => largestItem(row.content));
  const [titles, reproposed] = await Promise.all([readTitles(merchantId, largest.flatMap((each) => each?.target ?? [])), readReproposed(merchantId, rows.map(({ id }) => id))]);
  return rows.map(({ seq: _seq, content: _content, number, amountMinor, stagedAt, expiresAt, effectiveAt, customer, ...row }, index) => ({
    ...row, orderNumber: number, customer: customer ?? "no customer", amountMinor: String(amountMinor),
    stagedAt: stagedAt.toISOString(), expiresAt: expiresAt.toISOString(), effectiveAt: effectiveAt?.toISOString() ?? null,
    headline: headlineOf(largest[index] ?? null, titles), moreLines: Math.max(0, (largest[index]?.of ?? 1) - 1), rejectedBefore: reproposed.get(row.id)?.name ?? null,
  }));
}

type Largest = { target: string; field: string; of: number };

function largestItem(content: string | null): Largest | null {
  if (content === null) return null;
  const { items } = parseContent(content);
  const [first] = items.toSorted((a, b) => Number(amountOf(b) - amountOf(a)));
  return first ? { target: first.target, field: isLineItem(first) ? "line" : first.field, of: items.length } : null;
}

const headlineOf = (largest: Largest | null, titles: Map<string, string>): string =>
  largest === null ? "erased" : (titles.get(largest.target) ?? (largest.field === "shipping" ? "shipping" : "an amount"));

async function readTitles(merchantId: string, ids: string[]): Promise<Map<string, string>> {
  const lines = await tenant(merchantId).orderLine.findMany({ where: { merchantId, id: { in: ids } }, select: { id: true, title: true } });
  return new Map(lines.map(({ id, title }) => [id, title]));
}

async function countViews({ merchantId, actor }: Ctx<PersonActor>): Promise<Record<ViewName, number>> {
  const count = (view: ViewName) => sql`(SELECT count(*) FROM change c WHERE c.merchant_id = ${merchantId} AND ${WHERE[view](actor.id)})::int`;
  const [row] = await tenant(merchantId).$queryRaw<Record<ViewName, number>[]>`
    SELECT ${count("waiting")} AS waiting, ${count("second")} AS second, ${count("attention")} AS attention, ${count("scheduled")} AS scheduled, ${count("expired")} AS expired`;
  return row!;
}
