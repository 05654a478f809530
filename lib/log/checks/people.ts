import { readEntry, type Entry } from "../../audit/entry";
import { canonicalJson } from "../../kernel/canonical-json";
import { compare, read, type Checking } from "./read";

type Member = { id: string; person_id: string; role: string; removed: boolean; name: string; email: string; entry: string | null; text: string | null };
type Agent = { id: string; name: string; entry: string | null; text: string | null };
type Key = {
  id: string; agent_id: string; owner_id: string; made_by: string; persons: string[]; scopes: string[]; expires_at: Date; revoked: boolean; entry: string | null; makings: string[];
};
type Policy = { version: number; rules: string; entry: string | null };

const about = (subject: string, types: string): string => `FROM entry e WHERE e.merchant_id = $1 AND e.subject = ${subject} AND e.type IN (${types})`;
const last = (subject: string, types: string): string => `(SELECT e.entry ${about(subject, types)} ORDER BY e.seq DESC LIMIT 1) AS entry`;
/** The text whose digest the last such entry carries, where it is there and is that text. */
const lastText = (subject: string, types: string, member: string): string =>
  `(SELECT (SELECT t.text FROM digested_text t WHERE t.merchant_id = $1 AND t.digest = e.entry::json -> 'data' ->> '${member}' AND t.digest = encode(sha256(convert_to(t.text, 'UTF8')), 'hex'))
      ${about(subject, types)} AND e.entry::json -> 'data' ->> '${member}' IS NOT NULL ORDER BY e.seq DESC LIMIT 1) AS text`;

const PLACES = "'member.added','member.changed','member.removed'";
const AGENTS = "'agent.created','agent.changed'";
const MAKINGS = "'key.created','key.rotated'";

/** Members, agents, keys and policies against the entries about each. */
export async function checkPeople(checking: Checking): Promise<void> {
  const at: [string] = [checking.merchantId];
  for (const row of await read<Member>(
    `SELECT m.id, m.person_id, m.role, m.removed_at IS NOT NULL AS removed, p.name, p.email, ${last("m.id", PLACES)}, ${lastText("m.id", PLACES, "profileDigest")}
       FROM member m JOIN person p ON p.id = m.person_id WHERE m.merchant_id = $1`, at)) {
    against(row, `member ${row.id}`, checking, (entry) => ("person" in entry.data && "role" in entry.data
      ? { person_id: [row.person_id, entry.data.person], role: [row.role, entry.data.role], removed: [row.removed, entry.type === "member.removed"], ...said(row, ["name", "email"]) } : null));
  }
  for (const row of await read<Agent>(`SELECT a.id, a.name, ${last("a.id", AGENTS)}, ${lastText("a.id", AGENTS, "nameDigest")} FROM agent a WHERE a.merchant_id = $1`, at)) {
    against(row, `agent ${row.id}`, checking, () => said(row, ["name"]));
  }
  for (const row of await read<Key>(
    `SELECT k.id, k.agent_id, k.owner_id, k.made_by, k.persons, k.scopes, k.expires_at, k.revoked_at IS NOT NULL AS revoked, ${last("k.id", `${MAKINGS},'key.revoked'`)},
            ARRAY(SELECT e.entry ${about("k.id", MAKINGS)} ORDER BY e.seq) AS makings FROM agent_key k WHERE k.merchant_id = $1`, at)) {
    against(row, `key ${row.id}`, checking, (entry) => ("scopes" in entry.data ? {
      agent_id: [row.agent_id, entry.data.agent], owner_id: [row.owner_id, entry.data.owner], scopes: [row.scopes, entry.data.scopes],
      expires_at: [row.expires_at.toISOString(), entry.data.expiresAt], revoked: [row.revoked, entry.type === "key.revoked"], ...makers(row),
    } : null));
  }
  for (const row of await read<Policy>(
    `SELECT p.version, p.rules, e.entry FROM policy p LEFT JOIN entry e ON e.merchant_id = p.merchant_id AND e.subject = p.merchant_id
        AND e.type = 'policy.published' AND (e.entry::json -> 'data' ->> 'version')::int = p.version WHERE p.merchant_id = $1`, at)) {
    against(row, `policy ${row.version}`, checking, (entry) => (entry.type === "policy.published" ? { rules: [row.rules, canonicalJson(entry.data.rules)] } : null));
  }
}

type Said = Record<string, readonly [row: unknown, entry: unknown]>;

/** What a person's or an agent's text says of it; nothing where the text was erased or is not the one that was digested. */
function said<R extends { text: string | null }>(row: R, columns: readonly (string & keyof R)[]): Said {
  if (row.text === null) return {};
  const text = JSON.parse(row.text) as Record<string, unknown>;
  return Object.fromEntries(columns.map((column) => [column, [row[column], text[column]] as const]));
}

/** Who made a key last, and everyone who owned, made or rotated it: none of them may approve what it stages (I6). */
function makers(row: Key): Said {
  const made = row.makings.flatMap((bytes) => {
    const { entry } = readEntry(bytes);
    return entry && "owner" in entry.data ? [entry.data] : [];
  });
  const persons = [...new Set(made.flatMap(({ owner, by }) => [owner, by]))].toSorted();
  return { made_by: [row.made_by, made.at(-1)?.by], persons: [row.persons.toSorted(), persons] };
}

function against(row: { entry: string | null }, place: string, checking: Checking, says: (entry: Entry) => Said | null): void {
  if (row.entry === null) {
    checking.report("unlogged_write", place, "no entry says so");
    return;
  }
  const { entry } = readEntry(row.entry);
  if (entry) compare(says(entry) ?? {}, place, checking);
}
