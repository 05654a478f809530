import type { AgentActor, Ctx, PersonActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import type { Verdict } from "../kernel/verdict";
import { tenant } from "../database/client";
import { parseContent } from "./content";
import type { ChangeState } from "./lifecycle";
import { readDeciders, standing } from "./load";
import type { ChangeShape } from "./shape";

type Reader = Ctx<AgentActor | PersonActor>;

/** An agent sees its own changes; with `changes:read_all`, and for a person, all of the merchant's. */
const visible = ({ merchantId, actor }: Reader) =>
  actor.kind === "agent" && !actor.scopes.includes("changes:read_all") ? { merchantId, agentId: actor.id } : { merchantId };

const INCLUDE = { content: true, verdict: true, decisions: { orderBy: { revision: "asc" } } } as const;

/** One change as the API shows it. Refuses `not_found` for what is not there, not this merchant's or not this agent's. */
export async function readChangeShape(ctx: Reader, id: string): Promise<ChangeShape> {
  authorise(ctx, "changes:read");
  const row = await tenant(ctx.merchantId).change.findFirst({ where: { ...visible(ctx), id }, include: INCLUDE });
  if (!row) throw new Refusal("not_found");
  return toShape(row, await readDeciders(tenant(ctx.merchantId), ctx.merchantId));
}

export type ChangeSearch = { state?: ChangeState; kind?: "refund"; cursor?: string; limit: number };

/** Newest first; the cursor is the seq of `change.staged`, so that no row is lost or repeated while others write. */
export async function listChangeShapes(ctx: Reader, { state, kind, cursor, limit }: ChangeSearch): Promise<{ items: ChangeShape[]; nextCursor: string | null }> {
  authorise(ctx, "changes:read");
  const rows = await tenant(ctx.merchantId).change.findMany({
    where: { ...visible(ctx), state, kind, ...(cursor !== undefined && { stagedSeq: { lt: BigInt(cursor) } }) },
    orderBy: { stagedSeq: "desc" }, take: limit + 1, include: INCLUDE,
  });
  const page = rows.slice(0, limit);
  const deciders = await readDeciders(tenant(ctx.merchantId), ctx.merchantId);
  return { items: page.map((row) => toShape(row, deciders)), nextCursor: rows.length > limit ? String(page.at(-1)!.stagedSeq) : null };
}

type Row = {
  id: string; state: string; revision: number; digest: string; required: number; stagedAt: Date; expiresAt: Date;
  content: { content: string } | null; verdict: { verdict: string } | null; decisions: Parameters<typeof standing>[0];
};

/** Of a change that is still staged, the approvals that count. */
const toShape = (row: Row, deciders: ReadonlySet<string>): ChangeShape => ({
  id: row.id, kind: "refund", state: row.state as ChangeState, revision: row.revision, digest: row.digest,
  content: row.content && parseContent(row.content.content), required: row.required,
  approvals: standing(row.decisions).filter(({ personId }) => row.state !== "staged" || deciders.has(personId)).map(({ personId, at }) => ({ person: personId, at: at.toISOString() })),
  verdict: JSON.parse(row.verdict!.verdict) as Verdict, createdAt: row.stagedAt.toISOString(), expiresAt: row.expiresAt.toISOString(),
});
