import type { Ctx } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { tenant } from "../database/client";
import { entriesBefore, lastCheck, logSize } from "../log/queries";
import { toEntryViews } from "./entry-views";
import type { AuditView } from "./view";

const PAGE = 100;
const DAYS = 7;

/** A page of the log, newest first, with its size, the last check and the totals that tie it to the store. */
export async function readAudit(ctx: Ctx, { before }: { before?: number } = {}): Promise<AuditView> {
  authorise(ctx, "log:read");
  const { merchantId } = ctx;
  const [rows, { size, openedAt }, check, totals] = await Promise.all([
    entriesBefore(merchantId, before === undefined ? null : BigInt(before), PAGE),
    logSize(merchantId), lastCheck(merchantId), totalsByDay(merchantId),
  ]);
  const last = rows.at(-1);
  return {
    log: `undersigned/${merchantId}`, size: Number(size), openedAt: openedAt.toISOString(),
    entries: await toEntryViews(merchantId, rows), nextBefore: last && last.seq > 0n ? Number(last.seq) : null,
    check: check && { at: check.at.toISOString(), entries: Number(check.entries), findings: check.findings }, totals,
  };
}

type Total = { day: string; currency: string; approved: bigint; applied: bigint; store: bigint };

/** Approved and applied by the log, refunded by the store, by the merchant's day; the newest days that have any. */
async function totalsByDay(merchantId: string): Promise<AuditView["totals"]> {
  const rows = await tenant(merchantId).$queryRaw<Total[]>`
    WITH zone AS (SELECT time_zone FROM merchant WHERE id = ${merchantId}),
    moved AS (
      SELECT to_char(e.at AT TIME ZONE z.time_zone, 'YYYY-MM-DD') AS day, c.currency, c.amount_minor, e.type
        FROM entry e CROSS JOIN zone z JOIN change c ON c.merchant_id = e.merchant_id AND c.id = e.subject
       WHERE e.merchant_id = ${merchantId} AND e.type IN ('change.approved','change.applied')
      UNION ALL
      SELECT to_char(r.at AT TIME ZONE z.time_zone, 'YYYY-MM-DD'), r.currency, r.amount_minor, 'store' FROM store_refund r CROSS JOIN zone z WHERE r.merchant_id = ${merchantId}
      UNION ALL
      SELECT to_char(w.done_at AT TIME ZONE z.time_zone, 'YYYY-MM-DD'), c.currency, w.amount_minor, 'store'
        FROM platform_account a JOIN platform_write w ON w.merchant_id = a.merchant_id AND w.state = 'done' JOIN change c ON c.merchant_id = w.merchant_id AND c.id = w.change_id CROSS JOIN zone z
       WHERE a.merchant_id = ${merchantId})
    SELECT day, currency, coalesce(sum(amount_minor) FILTER (WHERE type = 'change.approved'), 0)::bigint AS approved,
           coalesce(sum(amount_minor) FILTER (WHERE type = 'change.applied'), 0)::bigint AS applied, coalesce(sum(amount_minor) FILTER (WHERE type = 'store'), 0)::bigint AS store
      FROM moved GROUP BY day, currency ORDER BY day DESC, currency LIMIT ${DAYS}`;
  return rows.map(({ day, currency, approved, applied, store }) => ({ day, currency, approvedMinor: String(approved), appliedMinor: String(applied), storeMinor: String(store) }));
}
