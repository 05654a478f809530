import { tenant } from "../database/client";
import type { LoadedChange } from "./load";
import type { MayNot, OriginView } from "./view";

type Link = { id: string; stagedBy: string | null; keyId: string | null };
type Key = { id: string; ownerId: string };
type KeyEntry = { type: string; data: { owner: string; by: string } };
type Names = ReadonlyMap<string, { name: string }>;

/** Who staged a change, who lowered it, what it replaces and what replaced it; and who may not approve it, and why. */
export async function readOrigin(merchantId: string, change: LoadedChange, names: Names, agentName: string | null): Promise<{ origin: OriginView; mayNot: MayNot[] }> {
  const nameOf = (person: string) => names.get(person)?.name ?? person;
  const [chain, replacement] = await Promise.all([
    readChain(merchantId, change.id), tenant(merchantId).change.findFirst({ where: { merchantId, supersedes: change.id }, select: { id: true, trimmedBy: true } }),
  ]);
  const because = await readBecause(merchantId, chain);
  return {
    origin: {
      stager: agentName ?? nameOf(change.stagedBy!), byPerson: change.stagedBy !== null, trimmedBy: change.trimmedBy && nameOf(change.trimmedBy), replaces: change.supersedes,
      replacedBy: replacement && { id: replacement.id, trimmedBy: replacement.trimmedBy && nameOf(replacement.trimmedBy) },
    },
    mayNot: change.excludes.map((person) => ({ personId: person, name: nameOf(person), because: because(person) })).toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}

/** The change, then what it replaces, and so on. */
const readChain = (merchantId: string, id: string): Promise<Link[]> => tenant(merchantId).$queryRaw<Link[]>`
  WITH RECURSIVE chain AS (
    SELECT c.id, c.supersedes, c.staged_by, c.key_id, 0 AS depth FROM change c WHERE c.merchant_id = ${merchantId} AND c.id = ${id}
    UNION ALL
    SELECT c.id, c.supersedes, c.staged_by, c.key_id, n.depth + 1 FROM chain n JOIN change c ON c.merchant_id = ${merchantId} AND c.id = n.supersedes)
  SELECT id, staged_by AS "stagedBy", key_id AS "keyId" FROM chain ORDER BY depth`;

async function readBecause(merchantId: string, chain: readonly Link[]): Promise<(person: string) => MayNot["because"]> {
  const keyIds = [...new Set(chain.flatMap(({ keyId }) => keyId ?? []))];
  const [keys, rows] = await Promise.all([
    tenant(merchantId).agentKey.findMany({ where: { merchantId, id: { in: keyIds } }, select: { id: true, ownerId: true } }) as Promise<Key[]>,
    tenant(merchantId).entry.findMany({ where: { merchantId, subject: { in: keyIds }, type: { in: ["key.created", "key.rotated"] } }, select: { entry: true } }),
  ]);
  const entries = rows.map(({ entry }) => JSON.parse(entry) as KeyEntry);
  return (person) => {
    const told: MayNot["because"] = [];
    if (chain.some(({ stagedBy }) => stagedBy === person)) told.push("proposed");
    if (keys.some(({ ownerId }) => ownerId === person)) told.push("owns_key");
    if (entries.some(({ type, data }) => type === "key.created" && data.by === person)) told.push("made_key");
    if (entries.some(({ type, data }) => type === "key.rotated" && data.by === person)) told.push("rotated_key");
    return told.length > 0 ? told : ["had_key"];
  };
}
