import { readEntry, type Entry } from "../../audit/entry";
import { compare, readRanges, type Checking } from "./read";

type Row = {
  key: string; change_id: string; revision: number; person_id: string; kind: string;
  seen_digest: string; seen_facts_digest: string | null; text_digest: string | null; at: Date; entry: string | null;
};

const DECISIONS = `
  SELECT d.change_id || ' ' || lpad(d.revision::text, 10, '0') AS key, d.change_id, d.revision, d.person_id, d.kind, d.seen_digest, d.seen_facts_digest, d.text_digest, d.at, e.entry
    FROM decision d LEFT JOIN entry e ON e.merchant_id = d.merchant_id AND e.subject = d.change_id AND e.revision = d.revision
   WHERE d.merchant_id = $1 AND (d.change_id, d.revision) > (split_part($2, ' ', 1), coalesce(nullif(split_part($2, ' ', 2), '')::int, 0))
   ORDER BY d.change_id, d.revision LIMIT $3`;

const KINDS: Record<string, string> = { "change.endorsed": "endorse", "change.approved": "approve", "change.rejected": "reject", "change.retracted": "retract" };

/** Every decision against the entry that it made. */
export async function checkDecisions(checking: Checking): Promise<void> {
  for await (const rows of readRanges<Row>(DECISIONS, checking.merchantId, ({ key }) => key)) {
    for (const row of rows) {
      const place = `decision ${row.change_id}/${row.revision}`;
      const entry = row.entry === null ? null : readEntry(row.entry).entry;
      if (row.entry === null) checking.report("unlogged_write", place, `${row.person_id} decided ${row.kind}, which no entry says`);
      else if (entry) compareDecision(row, entry, place, checking);
    }
  }
}

function compareDecision(row: Row, entry: Entry, place: string, checking: Checking): void {
  const { facts, text } = digestsOf(entry);
  compare({
    kind: [row.kind, KINDS[entry.type]], person_id: [row.person_id, entry.actor.id], seen_digest: [row.seen_digest, "digest" in entry ? entry.digest : null],
    seen_facts_digest: [row.seen_facts_digest, facts], text_digest: [row.text_digest, text], at: [row.at.toISOString(), entry.at],
  }, place, checking);
}

function digestsOf(entry: Entry): { facts?: string; text?: string } {
  switch (entry.type) {
    case "change.endorsed":
    case "change.approved": return { facts: entry.data.factsDigest, text: entry.data.commentDigest };
    case "change.rejected": return { text: entry.data.reasonDigest };
    default: return {};
  }
}
