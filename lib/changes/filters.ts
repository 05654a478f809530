import { z } from "zod";
import { startOfDay } from "../kernel/local-time";
import { Refusal } from "../kernel/refusal";
import { sql, type Sql } from "../database/transactions";
import { REFUND_REASONS } from "./content";
import { CHANGE_STATES } from "./lifecycle";

const Minor = z.string().regex(/^\d{1,16}$/);
const Day = z.string().regex(/^(19|2\d)\d{2}-\d{2}-\d{2}$/);
const DECIDED = CHANGE_STATES.filter((state) => state !== "staged");

/** What a list of changes may be narrowed by, as it stands in an address. Amounts in minor units; days of the zone's calendar, both included. */
export const ChangeFilters = z.strictObject({
  q: z.string().trim().min(1).max(100).optional(),
  agent: z.string().max(64).optional(),
  reason: z.enum(REFUND_REASONS).optional(),
  currency: z.string().regex(/^[A-Z]{3}$/).optional(),
  min: Minor.optional(), max: Minor.optional(),
  from: Day.optional(), to: Day.optional(), zone: z.string().max(64).optional(),
  state: z.enum(DECIDED).optional(),
  /** A person who decided on it. */
  by: z.string().max(64).optional(),
  /** Shares its payment with another change that is staged or held. */
  conflict: z.literal("1").optional(),
  /** Expires within a day. */
  soon: z.literal("1").optional(),
});
export type ChangeFilters = z.infer<typeof ChangeFilters>;

/** The filters as conditions on `c`, a change. An order that matches a search is found by its number, its customer or a product. */
export function narrowing(merchantId: string, f: ChangeFilters): Sql {
  const [from, until] = days(f);
  const parts: (Sql | false | undefined)[] = [
    f.q !== undefined && matching(merchantId, f.q), f.agent !== undefined && sql`c.agent_id = ${f.agent}`, f.reason && sql`c.reason = ${f.reason}`,
    f.currency !== undefined && sql`c.currency = ${f.currency}`, f.min !== undefined && sql`c.amount_minor >= ${BigInt(f.min)}`, f.max !== undefined && sql`c.amount_minor <= ${BigInt(f.max)}`,
    from && sql`c.staged_at >= ${from}`, until && sql`c.staged_at < ${until}`, f.state && sql`c.state = ${f.state}`,
    f.by !== undefined && sql`EXISTS (SELECT FROM decision d WHERE d.merchant_id = c.merchant_id AND d.change_id = c.id AND d.person_id = ${f.by})`,
    f.conflict && sql`EXISTS (SELECT FROM change x WHERE x.order_id = c.order_id AND x.merchant_id = c.merchant_id AND x.payment_id = c.payment_id AND x.id <> c.id AND x.state IN ('staged','approved','applying'))`,
    f.soon && sql`c.expires_at < ledger_clock() + interval '24 hours'`,
  ];
  return parts.filter((part) => part !== undefined && part !== false).reduce((all, part) => sql`${all} AND ${part}`, sql`true`);
}

function matching(merchantId: string, text: string): Sql {
  const like = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`(c.id = ${text} OR c.order_id IN (
    SELECT o.id FROM shop_order o WHERE o.merchant_id = ${merchantId} AND (o.number ILIKE ${like} OR o.id = ${text})
    UNION ALL SELECT o.id FROM shop_order o JOIN customer u ON u.merchant_id = o.merchant_id AND u.id = o.customer_id WHERE o.merchant_id = ${merchantId} AND u.name ILIKE ${like}
    UNION ALL SELECT l.order_id FROM order_line l WHERE l.merchant_id = ${merchantId} AND (l.title ILIKE ${like} OR l.sku ILIKE ${like})))`;
}

/** The first instant of the first day, and the first after the last. */
function days({ from, to, zone = "UTC" }: ChangeFilters): [Date | undefined, Date | undefined] {
  return [from === undefined ? undefined : dayStart(from, zone, 0, "from"), to === undefined ? undefined : dayStart(to, zone, 1, "to")];
}

function dayStart(day: string, zone: string, plusDays: number, field: string): Date {
  const at = startOfDay(day, zone, plusDays);
  if (at instanceof Date) return at;
  throw new Refusal("invalid_input", { fields: at === "unknown_zone" ? { "?zone": ["no such time zone"] } : { [`?${field}`]: ["no such day"] } });
}
