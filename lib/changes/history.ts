import type { Ctx, PersonActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { tenant } from "../database/client";
import { sql } from "../database/transactions";
import { narrowing, type ChangeFilters } from "./filters";
import { readNames } from "./names";
import { readRows, toQueueRows, type Row } from "./queue";
import type { FilterChoices, HistoryPage, HistoryRow, HistorySums } from "./view";

const PAGE = 50;

/** Everything decided, newest proposal first; the cursor is the seq of `change.staged`, so that no row is lost or repeated while others decide. */
export async function listHistory(ctx: Ctx<PersonActor>, filters: ChangeFilters, cursor: string | undefined, take = PAGE): Promise<HistoryPage> {
  authorise(ctx, "changes:read");
  const { merchantId } = ctx;
  const before = cursor === undefined ? null : BigInt(cursor);
  const rows = await readRows(merchantId, sql`c.state <> 'staged' AND (${before}::bigint IS NULL OR c.staged_seq < ${before}::bigint) AND ${narrowing(merchantId, filters)}`, take + 1);
  const page = rows.slice(0, take);
  return { items: await toHistoryRows(merchantId, page), nextCursor: rows.length > take ? String(page.at(-1)!.seq) : null };
}

/** How many changes, and what they come to by currency. */
export async function sumHistory(ctx: Ctx<PersonActor>, filters: ChangeFilters): Promise<HistorySums> {
  authorise(ctx, "changes:read");
  const rows = await tenant(ctx.merchantId).$queryRaw<{ currency: string; count: number; sum: bigint }[]>`
    SELECT c.currency, count(*)::int AS count, sum(c.amount_minor)::bigint AS sum FROM change c
     WHERE c.merchant_id = ${ctx.merchantId} AND c.state <> 'staged' AND ${narrowing(ctx.merchantId, filters)} GROUP BY c.currency ORDER BY c.currency`;
  return { count: rows.reduce((all, { count }) => all + count, 0), sums: rows.map(({ currency, count, sum }) => ({ currency, count, amountMinor: String(sum) })) };
}

/** The agents, persons and currencies that there are to choose from; persons who have left too. */
export async function readFilterChoices(ctx: Ctx<PersonActor>): Promise<FilterChoices> {
  authorise(ctx, "changes:read");
  const { merchantId } = ctx;
  const db = tenant(merchantId);
  const [agents, members, currencies] = await Promise.all([
    db.agent.findMany({ where: { merchantId }, select: { id: true, name: true }, orderBy: { name: "asc" } }),
    db.member.findMany({ where: { merchantId, role: { not: "auditor" } }, select: { person: { select: { id: true, name: true } } } }),
    db.agentDay.findMany({ where: { merchantId }, distinct: ["currency"], select: { currency: true }, orderBy: { currency: "asc" } }), // a row a day, where payments are millions
  ]);
  return { agents, people: members.map(({ person }) => person).toSorted((a, b) => a.name.localeCompare(b.name)), currencies: currencies.map(({ currency }) => currency) };
}

type Last = { changeId: string; at: Date; type: string; actor: string; code: string | null };

async function toHistoryRows(merchantId: string, rows: readonly Row[]): Promise<HistoryRow[]> {
  const ids = rows.map(({ id }) => id);
  const [queueRows, lasts, decisions] = await Promise.all([
    toQueueRows(merchantId, rows),
    tenant(merchantId).$queryRaw<Last[]>`
      SELECT c.id AS "changeId", e.at, e.type, e.entry::json -> 'actor' ->> 'id' AS actor, coalesce(e.entry::json -> 'data' ->> 'code', e.entry::json -> 'data' ->> 'cause') AS code
        FROM change c JOIN entry e ON e.merchant_id = c.merchant_id AND e.subject = c.id AND e.revision = c.revision WHERE c.merchant_id = ${merchantId} AND c.id = ANY (${ids})`,
    tenant(merchantId).decision.findMany({ where: { merchantId, changeId: { in: ids }, kind: { in: ["endorse", "approve", "reject"] } }, orderBy: { revision: "asc" }, select: { changeId: true, personId: true } }),
  ]);
  const persons = [...decisions.map(({ personId }) => personId), ...lasts.map(({ actor }) => actor)];
  const names = await readNames(merchantId, persons);
  return queueRows.map((row) => {
    const last = lasts.find(({ changeId }) => changeId === row.id)!;
    const deciders = [...new Set(decisions.filter(({ changeId }) => changeId === row.id).map(({ personId }) => names.get(personId) ?? personId))];
    return { ...row, endedAt: last.at.toISOString(), endedBy: names.get(last.actor) ?? last.actor, why: wordsOf(last.code), deciders };
  });
}

const wordsOf = (code: string | null): string | null => (code === null || code === "other" ? null : code.replaceAll("_", " "));
