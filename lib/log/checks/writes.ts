import type { Content } from "../../audit/content";
import { readEntry } from "../../audit/entry";
import { compare, readRanges, type Checking } from "./read";

type Row = { place: string; change_id: string; item: number; revision: number; amount_minor: string; reference: string; applying: string | null; applied: string | null; content: string | null };

const WRITES = `
  SELECT w.change_id || '/' || lpad(w.item::text, 4, '0') AS place, w.change_id, w.item, w.revision, w.amount_minor, w.reference, e.entry AS applying, t.content,
         (SELECT x.entry FROM entry x WHERE x.merchant_id = w.merchant_id AND x.subject = w.change_id AND x.type = 'change.applied') AS applied
    FROM platform_write w
    LEFT JOIN entry e ON e.merchant_id = w.merchant_id AND e.subject = w.change_id AND e.revision = w.revision AND e.type = 'change.applying'
    LEFT JOIN change_content t ON t.merchant_id = w.merchant_id AND t.change_id = w.change_id
   WHERE w.merchant_id = $1 AND w.state = 'done' AND w.change_id || '/' || lpad(w.item::text, 4, '0') > $2 ORDER BY 1 LIMIT $3`;

/** Every item that was paid, on whichever platform, against the entries that began and ended its attempt. */
export async function checkWrites(checking: Checking): Promise<void> {
  for await (const rows of readRanges<Row>(WRITES, checking.merchantId, ({ place }) => place)) {
    for (const row of rows) checkWrite(row, checking);
  }
}

function checkWrite(row: Row, checking: Checking): void {
  const place = `write ${row.change_id}/${row.item}`;
  if (row.applying === null) {
    checking.report("unlogged_write", place, `under revision ${row.revision}, at which no entry began to apply`);
    return;
  }
  const applied = row.applied === null ? null : readEntry(row.applied).entry;
  if (applied?.type === "change.applied" && applied.data.references[row.item] !== row.reference) {
    checking.report("unlogged_write", place, `as ${row.reference}; it was applied as ${applied.data.references[row.item] ?? "nothing"}`);
  }
  const item = row.content === null ? undefined : (JSON.parse(row.content) as Content).items[row.item];
  if (item) compare({ amount_minor: [row.amount_minor, String(BigInt(item.after) - BigInt(item.before ?? "0"))] }, place, checking);
}
