import { z } from "zod";
import type { Committed } from "../ledger/commit";
import type { Db } from "../database/transactions";
import { entryAt } from "../log/append";
import type { ChangeState } from "./lifecycle";
import type { LoadedChange } from "./load";

export const Digest = z.string().regex(/^[0-9a-f]{64}$/);

export type Decided = {
  verb: "approve" | "endorse" | "schedule" | "reject" | "retract" | "retry" | "withdraw";
  changeId: string;
  /** When the entry was written, and its leaf hash. */
  at: Date;
  leafHash: string;
  /** When an approval takes effect; null where no time is set, and for every other verb. */
  effectiveAt: Date | null;
};

/** Where an approval has not come to nothing. */
const STANDS: ReadonlySet<ChangeState> = new Set(["staged", "approved", "applying", "applied", "failed"]);

/** The same person sending the same form again (a double click, a second tab) is told what the first one did. */
export async function earlierDecision(
  db: Db, change: LoadedChange, personId: string, seen: { seenDigest: string; seenFactsDigest: string },
): Promise<Committed<Decided> | null> {
  const approval = change.approvals.find((each) => each.personId === personId);
  if (!approval || !STANDS.has(change.state) || approval.seenDigest !== seen.seenDigest || approval.seenFactsDigest !== seen.seenFactsDigest) return null;
  return replay(db, change, approval.kind === "endorse" ? "endorse" : "approve", approval.revision);
}

/** The answer of a decision that was written before, with the entry it wrote. */
export async function replay(db: Db, change: LoadedChange, verb: Decided["verb"], revision: number): Promise<Committed<Decided>> {
  const entry = await entryAt(db, change.merchantId, change.id, revision);
  const effectiveAt = verb === "approve" || verb === "schedule" ? change.effectiveAt : null;
  return { result: { verb, changeId: change.id, at: entry.at, leafHash: entry.leafHash, effectiveAt }, entries: [entry], effects: [] };
}
