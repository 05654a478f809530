import { read, type Checking } from "./read";

type Row = { seq: string; type: string; subject: string };
const RANGE = 10_000;

/** The rows that entries speak of: each type of entry that made one. */
const MISSING = `
  SELECT e.seq, e.type, e.subject FROM entry e WHERE e.merchant_id = $1 AND e.seq >= $2 AND e.seq < $3 AND CASE
    WHEN e.type = 'change.staged' THEN NOT EXISTS (SELECT FROM change x WHERE x.merchant_id = e.merchant_id AND x.id = e.subject)
    WHEN e.type IN ('change.endorsed','change.approved','change.rejected','change.retracted') THEN
      NOT EXISTS (SELECT FROM decision x WHERE x.merchant_id = e.merchant_id AND x.change_id = e.subject AND x.revision = e.revision)
    WHEN e.type = 'change.applied' THEN EXISTS (
      SELECT FROM json_array_elements_text(e.entry::json -> 'data' -> 'references') WITH ORDINALITY r (id, n) WHERE NOT EXISTS (
        SELECT FROM platform_write x WHERE x.merchant_id = e.merchant_id AND x.change_id = e.subject AND x.item = r.n - 1 AND x.state = 'done' AND x.reference = r.id)
        OR NOT EXISTS (SELECT FROM store_refund x WHERE x.merchant_id = e.merchant_id AND x.id = r.id) AND r.id LIKE 'rfd-%')
    WHEN e.type = 'member.added' THEN NOT EXISTS (SELECT FROM member x WHERE x.merchant_id = e.merchant_id AND x.id = e.subject)
    WHEN e.type = 'member.link_made' THEN NOT EXISTS (SELECT FROM sign_in_link x WHERE x.merchant_id = e.merchant_id AND x.token_hash = e.entry::json -> 'data' ->> 'link')
    WHEN e.type = 'agent.created' THEN NOT EXISTS (SELECT FROM agent x WHERE x.merchant_id = e.merchant_id AND x.id = e.subject)
    WHEN e.type = 'key.created' THEN NOT EXISTS (SELECT FROM agent_key x WHERE x.merchant_id = e.merchant_id AND x.id = e.subject)
    WHEN e.type = 'policy.published' THEN NOT EXISTS (SELECT FROM policy x WHERE x.merchant_id = e.merchant_id AND x.version = (e.entry::json -> 'data' ->> 'version')::int)
    ELSE false END
  ORDER BY e.seq`;

type Text = { subject: string; digest: string };

/** The texts whose digests entries carry and no entry erased. */
const TEXTS = `
  SELECT e.subject, d.value AS digest FROM entry e, json_each_text(e.entry::json -> 'data') d
   WHERE e.merchant_id = $1 AND e.seq >= $2 AND e.seq < $3 AND d.key IN ('reasonDigest','commentDigest','nameDigest','profileDigest')
     AND NOT EXISTS (SELECT FROM digested_text t WHERE t.merchant_id = e.merchant_id AND t.digest = d.value)
     AND NOT EXISTS (SELECT FROM entry x WHERE x.merchant_id = e.merchant_id AND x.type = 'content.erased' AND x.entry::json -> 'data' ->> 'digest' = d.value)
   ORDER BY e.seq`;

/** Every entry that made a row or carries a text's digest, against the rows. `size` is the log's. */
export async function checkMissing({ merchantId, report }: Checking, size: number): Promise<void> {
  for (let from = 0; from < size; from += RANGE) {
    for (const { seq, type, subject } of await read<Row>(MISSING, [merchantId, from, from + RANGE])) {
      report("missing_write", `entry ${seq}`, `${type} of ${subject} has no row`);
    }
    for (const { subject, digest } of await read<Text>(TEXTS, [merchantId, from, from + RANGE])) {
      report("missing_write", `text ${digest} of ${subject}`, "the text is gone, though no entry erased it");
    }
  }
}
