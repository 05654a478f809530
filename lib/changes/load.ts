import { Refusal } from "../kernel/refusal";
import type { Reader } from "../database/transactions";
import { parseContent, type Content } from "./content";
import type { ChangeState } from "./lifecycle";

/** A person's approval that stands: not taken back since. */
export type Approval = { personId: string; kind: string; revision: number; at: Date; seenDigest: string; seenFactsDigest: string | null };

export type LoadedChange = {
  merchantId: string; id: string; revision: number; state: ChangeState; digest: string; orderId: string; paymentId: string; currency: string;
  amountMinor: bigint; reason: string; required: number; excludes: string[]; stagedSeq: bigint; stagedAt: Date; expiresAt: Date; effectiveAt: Date | null;
  /** The agent that staged it, by which key and in which session; or the person. */
  agentId: string | null; keyId: string | null; sessionId: string | null; stagedBy: string | null;
  /** The change whose place it takes, and who lowered it where it was lowered. */
  supersedes: string | null; trimmedBy: string | null;
  content: Content;
  approvals: Approval[];
  /** Those of them that count towards a quorum today: their persons may still decide here. */
  counting: Approval[];
  /** The last decision of any kind. */
  lastDecision: { kind: string; personId: string; revision: number } | null;
};

/** A change of this merchant with its content and standing approvals; refuses `not_found`, for another merchant's too. */
export async function loadChange(db: Reader, merchantId: string, id: string): Promise<LoadedChange> {
  const row = await db.change.findUnique({
    where: { merchantId_id: { merchantId, id } },
    include: { content: true, decisions: { orderBy: { revision: "asc" } } },
  });
  if (!row?.content) throw new Refusal("not_found");
  const approvals = standing(row.decisions);
  const deciders = approvals.length > 0 ? await readDeciders(db, merchantId) : new Set<string>();
  const counting = approvals.filter(({ personId }) => deciders.has(personId));
  return { ...row, state: row.state as ChangeState, content: parseContent(row.content.content), approvals, counting, lastDecision: row.decisions.at(-1) ?? null };
}

/** The persons who may decide today: members whose role decides. Only their approvals count towards a quorum. */
export async function readDeciders(db: Reader, merchantId: string): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ personId: string }[]>`SELECT person_id AS "personId" FROM member WHERE merchant_id = ${merchantId} AND may_decide(merchant_id, person_id)`;
  return new Set(rows.map(({ personId }) => personId));
}

/** Folds decisions in order: an approval stands until its own person takes it back. */
export function standing(decisions: readonly Approval[]): Approval[] {
  const by = new Map<string, Approval>();
  for (const decision of decisions) {
    if (decision.kind === "retract") by.delete(decision.personId);
    if (decision.kind === "endorse" || decision.kind === "approve") by.set(decision.personId, decision);
  }
  return [...by.values()];
}
