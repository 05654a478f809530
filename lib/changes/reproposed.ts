import { minorDigits } from "../kernel/money";
import { tenant } from "../database/client";
import { isLineItem, parseContent, type Item } from "./content";
import type { Reproposed } from "./view";

type Asked = { amountMinor: bigint; items: readonly Item[] };

/** The same units of the same lines, or an amount within one percent or one unit of the currency, whichever is more. */
export function isNearly(asked: Asked, rejected: Asked, currency: string): boolean {
  const apart = asked.amountMinor > rejected.amountMinor ? asked.amountMinor - rejected.amountMinor : rejected.amountMinor - asked.amountMinor;
  const unit = 10n ** BigInt(minorDigits(currency));
  return apart <= unit || apart * 100n <= rejected.amountMinor || (linesOf(asked) !== "" && linesOf(asked) === linesOf(rejected));
}

const linesOf = ({ items }: Asked): string => items.filter(isLineItem).map(({ target, quantity }) => `${target} ${quantity}`).toSorted().join(",");

type Row = { of: string; asked: bigint; askedContent: string | null; id: string; amountMinor: bigint; content: string | null; currency: string; name: string; at: Date; text: string | null };

/**
 * For each of these changes the last one like it on the same order that a person rejected within 90 days before: like it, or like one
 * whose place it took.
 */
export async function readReproposed(merchantId: string, ids: readonly string[]): Promise<Map<string, Reproposed>> {
  const rows = await tenant(merchantId).$queryRaw<Row[]>`
    WITH RECURSIVE chain AS (
      SELECT c.id AS of, c.id, c.supersedes, c.order_id, c.kind, c.amount_minor, c.staged_at FROM change c WHERE c.merchant_id = ${merchantId} AND c.id = ANY(${ids}::text[])
      UNION ALL
      SELECT n.of, c.id, c.supersedes, c.order_id, c.kind, c.amount_minor, c.staged_at FROM chain n JOIN change c ON c.merchant_id = ${merchantId} AND c.id = n.supersedes)
    SELECT n.of, n.amount_minor AS asked, a.content AS "askedContent", r.id, r.amount_minor AS "amountMinor", b.content, r.currency, p.name, d.at, x.text
      FROM chain n JOIN change r ON r.order_id = n.order_id AND r.merchant_id = ${merchantId} AND r.kind = n.kind AND r.state = 'rejected'
      JOIN decision d ON d.merchant_id = r.merchant_id AND d.change_id = r.id AND d.revision = r.revision AND d.at <= n.staged_at AND d.at > n.staged_at - interval '90 days'
      JOIN person p ON p.id = d.person_id
      LEFT JOIN digested_text x ON x.merchant_id = d.merchant_id AND x.digest = d.text_digest
      LEFT JOIN change_content a ON a.merchant_id = ${merchantId} AND a.change_id = n.id
      LEFT JOIN change_content b ON b.merchant_id = ${merchantId} AND b.change_id = r.id
     ORDER BY d.at`;
  const alike = rows.filter((row) => isNearly({ amountMinor: row.asked, items: itemsOf(row.askedContent) }, { amountMinor: row.amountMinor, items: itemsOf(row.content) }, row.currency));
  return new Map(alike.map(({ of, id, amountMinor, name, at, text }) => [of, { changeId: id, amountMinor: String(amountMinor), name, at: at.toISOString(), reason: text && (JSON.parse(text) as { text: string }).text }]));
}

const itemsOf = (content: string | null): Item[] => (content === null ? [] : parseContent(content).items);
