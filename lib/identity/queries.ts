import type { Ctx, PersonActor, Role, Scope } from "../kernel/context";
import { authorise, mayDo } from "../kernel/permit";
import { tenant } from "../database/client";
import { sql } from "../database/transactions";

export type MemberView = {
  id: string; personId: string; name: string; email: string; role: Role;
  /** When the place was given, for the last time. */
  since: string;
  /** Whether the person has ever signed in here. */
  entered: boolean;
  /** Keys of this person that still work. */
  keys: number;
  mine: boolean;
  /** The last one-time link that was made for them. */
  link: LinkView | null;
};
/** Who made a one-time link and had it in hand, when, and when it was used; `usedAt` null where it was not. */
export type LinkView = { by: string; madeAt: string; usedAt: string | null };
export type MembersView = { members: MemberView[]; mayGovern: boolean };

/** Everyone who has a place in this merchant, by role and name. */
export async function readMembers(ctx: Ctx<PersonActor>): Promise<MembersView> {
  authorise(ctx, "members:read");
  const { merchantId, now, actor } = ctx;
  const rows = await tenant(merchantId).$queryRaw<(Omit<MemberView, "since" | "mine" | "link"> & { since: Date; link: LinkView | null })[]>`
    SELECT m.id, ${LAST_LINK} AS link, m.person_id AS "personId", p.name, p.email, m.role,
           (SELECT max(e.at) FROM entry e WHERE e.merchant_id = m.merchant_id AND e.subject = m.id AND e.type = 'member.added') AS since,
           EXISTS (SELECT FROM sign_in s WHERE s.merchant_id = m.merchant_id AND s.person_id = m.person_id) AS entered,
           (SELECT count(*)::int FROM agent_key k WHERE k.merchant_id = m.merchant_id AND k.owner_id = m.person_id AND k.revoked_at IS NULL AND k.expires_at > ${now}) AS keys
      FROM member m JOIN person p ON p.id = m.person_id WHERE m.merchant_id = ${merchantId} AND m.removed_at IS NULL ORDER BY array_position(ARRAY['admin', 'operator', 'auditor'], m.role), p.name, m.id`;
  const members = rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString(), mine: row.personId === actor.id }));
  return { members, mayGovern: mayDo(actor, "merchant:govern") };
}

/** The last link of member `m` as its entries tell it. */
const LAST_LINK = sql`(
  SELECT json_build_object('by', coalesce((SELECT w.name FROM person w WHERE w.id = e.entry::json -> 'actor' ->> 'id'), e.entry::json -> 'actor' ->> 'id'),
           'madeAt', e.entry::json ->> 'at',
           'usedAt', (SELECT u.entry::json ->> 'at' FROM entry u WHERE u.merchant_id = m.merchant_id AND u.subject = m.id AND u.type = 'member.link_used' AND u.seq > e.seq))
    FROM entry e WHERE e.merchant_id = m.merchant_id AND e.subject = m.id AND e.type = 'member.link_made' ORDER BY e.seq DESC LIMIT 1)`;

const TWO_WEEKS = 14 * 24 * 60 * 60 * 1000;

/** The one-time link by which the caller's password was set in the last two weeks, or null: so that they learn of it if it was not them. */
export async function lastLinkUse({ merchantId, actor, now }: Ctx<PersonActor>): Promise<LinkView | null> {
  const [row] = await tenant(merchantId).$queryRaw<{ link: LinkView | null }[]>`
    SELECT ${LAST_LINK} AS link FROM member m WHERE m.merchant_id = ${merchantId} AND m.person_id = ${actor.id}`;
  const link = row?.link;
  return link?.usedAt && new Date(link.usedAt).getTime() > now.getTime() - TWO_WEEKS ? link : null;
}

export type KeyState = "working" | "expired" | "revoked";
export type KeyView = {
  id: string; ownerId: string; owner: string; madeBy: string; scopes: Scope[]; createdAt: string; expiresAt: string; state: KeyState;
  /** Who owned, made or rotated it: they may not approve what it proposes. */
  persons: string[];
};
export type AgentView = { id: string; name: string; createdAt: string; keys: KeyView[] };
/** `decides`: whether the role lets them approve at all. */
export type Someone = { personId: string; name: string; decides: boolean };
export type AgentsView = { agents: AgentView[]; people: Someone[]; viewer: string; mayGovern: boolean };

const ORDER: readonly KeyState[] = ["working", "expired", "revoked"];

/** The agents of this merchant with their keys, those that work first, and the people who may own one. */
export async function readAgents(ctx: Ctx<PersonActor>): Promise<AgentsView> {
  authorise(ctx, "members:read");
  const { merchantId, actor, now } = ctx;
  const [agents, keys, members] = await Promise.all([
    tenant(merchantId).agent.findMany({ where: { merchantId }, orderBy: [{ name: "asc" }, { id: "asc" }] }),
    tenant(merchantId).agentKey.findMany({ where: { merchantId }, orderBy: { createdAt: "desc" }, omit: { secretHash: true } }),
    tenant(merchantId).member.findMany({ where: { merchantId }, include: { person: { select: { name: true } } }, orderBy: { person: { name: "asc" } } }),
  ]);
  const names = new Map(members.map(({ personId, person }) => [personId, person.name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const views = keys.map(({ agentId, id, ownerId, madeBy, persons, scopes, createdAt, expiresAt, revokedAt }) => {
    const state: KeyState = revokedAt ? "revoked" : expiresAt <= now ? "expired" : "working";
    const key: KeyView = { id, ownerId, owner: nameOf(ownerId), madeBy: nameOf(madeBy), scopes: scopes as Scope[], persons, state, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
    return { agentId, key };
  });
  const keysOf = (agent: string) => views.filter(({ agentId }) => agentId === agent).map(({ key }) => key).toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  return {
    agents: agents.map(({ id, name, createdAt }) => ({ id, name, createdAt: createdAt.toISOString(), keys: keysOf(id) })),
    people: members.filter(({ removedAt }) => removedAt === null).map(({ personId, person, role }) => ({ personId, name: person.name, decides: role !== "auditor" })),
    viewer: actor.id, mayGovern: mayDo(actor, "merchant:govern"),
  };
}
