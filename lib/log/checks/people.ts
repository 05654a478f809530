import { readEntry, type Entry } from "../../audit/entry";
import { canonicalJson } from "../../kernel/canonical-json";
import { compare, read, type Checking } from "./read";

type Member = { id: string; person_id: string; role: string; removed: boolean; entry: string | null };
type Key = { id: string; agent_id: string; owner_id: string; made_by: string; scopes: string[]; expires_at: Date; revoked: boolean; entry: string | null };
type Agent = { id: string; entry: string | null };
type Policy = { version: number; rules: string; entry: string | null };

const lastEntry = (subject: string): string => `(SELECT e.entry FROM entry e WHERE e.merchant_id = $1 AND e.subject = ${subject} AND e.type <> 'change.refused' ORDER BY e.seq DESC LIMIT 1) AS entry`;

/** Members, agents, keys and policies against the last entry about each. */
export async function checkPeople(checking: Checking): Promise<void> {
  const at: [string] = [checking.merchantId];
  for (const row of await read<Member>(`SELECT m.id, m.person_id, m.role, m.removed_at IS NOT NULL AS removed, ${lastEntry("m.id")} FROM member m WHERE m.merchant_id = $1`, at)) {
    against(row, `member ${row.id}`, checking, (entry) => ("person" in entry.data
      ? { person_id: [row.person_id, entry.data.person], role: [row.role, entry.data.role], removed: [row.removed, entry.type === "member.removed"] } : null));
  }
  for (const row of await read<Agent>(`SELECT a.id, ${lastEntry("a.id")} FROM agent a WHERE a.merchant_id = $1`, at)) {
    against(row, `agent ${row.id}`, checking, () => ({}));
  }
  for (const row of await read<Key>(
    `SELECT k.id, k.agent_id, k.owner_id, k.made_by, k.scopes, k.expires_at, k.revoked_at IS NOT NULL AS revoked, ${lastEntry("k.id")} FROM agent_key k WHERE k.merchant_id = $1`, at)) {
    against(row, `key ${row.id}`, checking, (entry) => ("scopes" in entry.data ? {
      agent_id: [row.agent_id, entry.data.agent], owner_id: [row.owner_id, entry.data.owner], scopes: [row.scopes, entry.data.scopes],
      expires_at: [row.expires_at.toISOString(), entry.data.expiresAt], revoked: [row.revoked, entry.type === "key.revoked"],
      ...(entry.type === "key.created" && { made_by: [row.made_by, entry.data.by] }),
    } : null));
  }
  for (const row of await read<Policy>(
    `SELECT p.version, p.rules, e.entry FROM policy p LEFT JOIN entry e ON e.merchant_id = p.merchant_id AND e.subject = p.merchant_id
        AND e.type = 'policy.published' AND (e.entry::json -> 'data' ->> 'version')::int = p.version WHERE p.merchant_id = $1`, at)) {
    against(row, `policy ${row.version}`, checking, (entry) => (entry.type === "policy.published" ? { rules: [row.rules, canonicalJson(entry.data.rules)] } : null));
  }
}

type Said = Record<string, readonly [row: unknown, entry: unknown]>;

function against(row: { entry: string | null }, place: string, checking: Checking, said: (entry: Entry) => Said | null): void {
  if (row.entry === null) {
    checking.report("unlogged_write", place, "no entry says so");
    return;
  }
  const { entry } = readEntry(row.entry);
  if (entry) compare(said(entry) ?? {}, place, checking);
}
