import { contentFault, expectedContent, type Content } from "../../audit/content";
import { readEntry, type Entry } from "../../audit/entry";
import { sha256 } from "../../audit/sha256";
import { compare, readRanges, type Checking } from "./read";

type Row = {
  id: string; revision: number; state: string; digest: string; kind: string; agent_id: string | null; key_id: string | null; session_id: string | null;
  staged_by: string | null; order_id: string; payment_id: string; currency: string; amount_minor: string; reason: string; required: number; policy: number;
  excludes: string[]; supersedes: string | null; trimmed_by: string | null; staged_at: Date; staged_seq: string; expires_at: Date;
  content: string | null; erased: boolean;
  staged_entry: string | null; staged_entry_seq: string | null; entry_state: string | null; entry_digest: string | null; last_revision: number | null;
};

const CHANGES = `
  SELECT c.id, c.revision, c.state, c.digest, c.kind, c.agent_id, c.key_id, c.session_id, c.staged_by, c.order_id, c.payment_id, c.currency, c.amount_minor,
         c.reason, c.required, c.policy, c.excludes, c.supersedes, c.trimmed_by, c.staged_at, c.staged_seq, c.expires_at,
         t.content, EXISTS (SELECT FROM entry x WHERE x.merchant_id = c.merchant_id AND x.subject = c.id AND x.type = 'content.erased') AS erased,
         s.entry AS staged_entry, s.seq AS staged_entry_seq, l.state AS entry_state, l.digest AS entry_digest,
         (SELECT max(x.revision) FROM entry x WHERE x.merchant_id = c.merchant_id AND x.subject = c.id) AS last_revision
    FROM change c
    LEFT JOIN change_content t ON t.merchant_id = c.merchant_id AND t.change_id = c.id
    LEFT JOIN entry s ON s.merchant_id = c.merchant_id AND s.subject = c.id AND s.revision = 1
    LEFT JOIN entry l ON l.merchant_id = c.merchant_id AND l.subject = c.id AND l.revision = c.revision
   WHERE c.merchant_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3`;

/** Every change against its last entry, its staging and its content. */
export async function checkChanges(checking: Checking): Promise<void> {
  for await (const rows of readRanges<Row>(CHANGES, checking.merchantId, ({ id }) => id)) {
    for (const row of rows) checkChange(row, checking);
  }
}

function checkChange(row: Row, checking: Checking): void {
  const place = `change ${row.id}`;
  const { report } = checking;
  if (row.entry_state === null) {
    report("unlogged_write", place, `is ${row.state} at revision ${row.revision}, which no entry says`);
  } else {
    compare({ state: [row.state, row.entry_state], digest: [row.digest, row.entry_digest] }, place, checking);
    if (row.last_revision! > row.revision) report("missing_write", place, `is at revision ${row.revision}, the log at ${row.last_revision}`);
  }
  const staging = row.staged_entry === null ? null : readEntry(row.staged_entry).entry;
  if (staging?.type !== "change.staged") return; // without its staging the change is unlogged, or its entry has a finding of its own
  compareStaging(row, staging, place, checking);
  if (row.content === null) {
    if (!row.erased) report("missing_write", place, "its content is gone, though no entry erased it");
    return;
  }
  const fault = contentFault(row.content, expectedContent(staging), sha256);
  if (fault) report("content_mismatch", place, fault);
  else compareContent(row, JSON.parse(row.content), place, checking);
}

function compareStaging(row: Row, { actor, data, seq }: Entry<"change.staged">, place: string, checking: Checking): void {
  compare({
    kind: [row.kind, data.kind], agent_id: [row.agent_id, data.agent], key_id: [row.key_id, data.key], session_id: [row.session_id, data.session],
    staged_by: [row.staged_by, actor.kind === "person" ? actor.id : null], payment_id: [row.payment_id, data.payment], currency: [row.currency, data.currency],
    amount_minor: [row.amount_minor, data.total], required: [row.required, data.required], policy: [row.policy, data.policy],
    excludes: [row.excludes, data.excludes], supersedes: [row.supersedes, data.supersedes], trimmed_by: [row.trimmed_by, data.by], staged_seq: [row.staged_seq, row.staged_entry_seq ?? String(seq)],
  }, place, checking);
}

function compareContent(row: Row, content: Content, place: string, checking: Checking): void {
  compare({
    order_id: [row.order_id, content.order], reason: [row.reason, content.reason],
    staged_at: [row.staged_at.toISOString(), content.stagedAt], expires_at: [row.expires_at.toISOString(), content.expiresAt],
  }, place, checking);
}
