import type { Ctx, PersonActor } from "../kernel/context";
import { authorise, mayDo } from "../kernel/permit";
import { tenant } from "../database/client";
import { hasAnotherAdmin } from "../identity/admins";
import { PublishedRules } from "./schema";

export type VersionView = {
  version: number;
  rules: PublishedRules;
  at: string;
  /** Who put it in force. */
  by: string;
  /** Who proposed it, where that was another. */
  proposedBy: string | null;
};
export type ProposalView = { base: number; rules: PublishedRules; digest: string; at: string; by: string; mine: boolean };
export type PolicyView = {
  inForce: VersionView;
  /** A page of versions, newest first. */
  versions: VersionView[];
  /** Versions older than the page begin below this one; null where there are none. */
  olderThan: number | null;
  proposal: ProposalView | null;
  mayGovern: boolean;
  /** Whether what this viewer publishes or proposed waits for another admin. */
  needsAnother: boolean;
  /** Names of the other admins. */
  others: string[];
};

const PAGE = 20;

/** The policy in force, a page of its history and what is proposed. `before` is a version: the page begins below it. */
export async function readPolicyView(ctx: Ctx<PersonActor>, { before }: { before?: number | undefined } = {}): Promise<PolicyView> {
  authorise(ctx, "policy:read");
  const { merchantId, actor } = ctx;
  const db = tenant(merchantId);
  const [rows, proposal, members, told, needsAnother] = await Promise.all([
    db.policy.findMany({ where: { merchantId, ...(before !== undefined && { version: { lt: before } }) }, orderBy: { version: "desc" }, take: PAGE + 1 }),
    db.policyProposal.findUnique({ where: { merchantId } }),
    db.member.findMany({ where: { merchantId }, select: { personId: true, role: true, removedAt: true, person: { select: { name: true } } }, orderBy: { person: { name: "asc" } } }),
    readTold(merchantId), hasAnotherAdmin(db, merchantId, actor),
  ]);
  const names = new Map(members.map(({ personId, person }) => [personId, person.name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const toView = ({ version, rules, publishedAt }: (typeof rows)[number]): VersionView => {
    const { by = "setup", proposedBy = null } = told.get(version) ?? {};
    return { version, rules: PublishedRules.parse(JSON.parse(rules)), at: publishedAt.toISOString(), by: nameOf(by), proposedBy: proposedBy !== null && proposedBy !== by ? nameOf(proposedBy) : null };
  };
  const newest = before === undefined ? rows[0]! : (await db.policy.findFirst({ where: { merchantId }, orderBy: { version: "desc" } }))!;
  return {
    inForce: toView(newest), versions: rows.slice(0, PAGE).map(toView), olderThan: rows.length > PAGE ? rows[PAGE - 1]!.version : null,
    proposal: proposal && {
      base: proposal.base, rules: PublishedRules.parse(JSON.parse(proposal.rules)), digest: proposal.digest, at: proposal.proposedAt.toISOString(),
      by: nameOf(proposal.proposedBy), mine: proposal.proposedBy === actor.id,
    },
    mayGovern: mayDo(actor, "merchant:govern"), needsAnother,
    others: members.filter(({ role, removedAt, personId }) => role === "admin" && removedAt === null && personId !== actor.id).map(({ person }) => person.name),
  };
}

type Told = { type: string; actor: string; version: number | null };

/** By version, as the log tells it: who put it in force, and who had proposed it. */
async function readTold(merchantId: string): Promise<Map<number, { by: string; proposedBy: string | null }>> {
  const entries = await tenant(merchantId).$queryRaw<Told[]>`
    SELECT type, entry::json #>> '{actor,id}' AS actor, (entry::json #>> '{data,version}')::int AS version FROM entry
     WHERE merchant_id = ${merchantId} AND subject = ${merchantId} AND type IN ('policy.proposed','policy.declined','policy.published') ORDER BY seq`;
  const told = new Map<number, { by: string; proposedBy: string | null }>();
  let proposedBy: string | null = null;
  for (const { type, actor, version } of entries) {
    if (version !== null) told.set(version, { by: actor, proposedBy });
    proposedBy = type === "policy.proposed" ? actor : null;
  }
  return told;
}
