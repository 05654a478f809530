import { compare, read, type Checking } from "./read";

type Row = { member: string; expires_at: Date; open: boolean; made: string | null; over: boolean };

const LINKS = `
  SELECT m.id AS member, l.expires_at, l.used_at IS NULL AS open, e.entry::json -> 'data' ->> 'expiresAt' AS made,
         EXISTS (SELECT FROM entry x WHERE x.merchant_id = $1 AND x.subject = m.id AND x.type IN ('member.link_made','member.link_used') AND x.seq > e.seq) AS over
    FROM sign_in_link l JOIN member m ON m.merchant_id = l.merchant_id AND m.person_id = l.person_id
    LEFT JOIN entry e ON e.merchant_id = l.merchant_id AND e.subject = m.id AND e.type = 'member.link_made' AND e.entry::json -> 'data' ->> 'link' = l.token_hash
   WHERE l.merchant_id = $1`;

/** Every one-time link against the entry that made it, and those after it, which ended it. */
export async function checkLinks(checking: Checking): Promise<void> {
  for (const { member, expires_at, open, made, over } of await read<Row>(LINKS, [checking.merchantId])) {
    const place = `link of member ${member}`;
    if (made !== null) compare({ expires_at: [expires_at.toISOString(), made], open: [open, open && !over] }, place, checking);
    else if (open) checking.report("unlogged_write", place, "no entry says that it was made"); // those that are over may be older than such entries
  }
}
