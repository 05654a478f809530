import { fsckMerchant } from "../../log/fsck";
import { everyMerchant } from "../owner";
import type { Books } from "./books";
import { comparePayouts, type Payouts } from "./payouts";
import type { Shop } from "./shop";

export type Verdict = Payouts & {
  /** Acknowledged and not there: stagings, approvals. */
  lost: number;
  /** Neither ended nor waiting for a person. */
  stuck: number;
  /** Changes, answers and effects without each other. */
  half: number;
  findings: string[];
  entries: number;
};

type Count = { n: number };
const count = async (rows: Promise<Count[]>): Promise<number> => (await rows)[0]!.n;

/** Holds what callers were told and what the platforms paid against the database and the log. */
export async function verify(shops: readonly Shop[], books: Books): Promise<Verdict> {
  const verdict: Verdict = { lost: 0, double: books.contradicted, unbalanced: 0, stuck: 0, half: 0, findings: [], entries: 0, applied: 0, paidMinor: "0" };
  for (const shop of shops) {
    const { id } = shop.merchant;
    const staged = [...books.staged].filter(([proposal]) => proposal.shop === shop);
    const approved = books.approved.filter((each) => each.shop === shop).map(({ changeId }) => changeId);
    verdict.lost += await missing(id, staged.map(([, changeId]) => changeId)) + await undecided(id, approved);
    verdict.double += await manyPerKey(id, staged.length);
    await comparePayouts(shop, verdict);
    const stuck = await unfinished(id);
    verdict.stuck += stuck.length;
    verdict.findings.push(...stuck.map((each) => `${id} stuck ${JSON.stringify(each)}`));
    verdict.half += await half(id);
    const { entries, findings } = await fsckMerchant(id);
    verdict.entries += entries;
    verdict.findings.push(...findings.map(({ kind, place, detail }) => `${id} ${kind} ${place}: ${detail}`));
  }
  return verdict;
}

/** Ids that were answered with 201 and are no change with its first entry. */
const missing = (merchantId: string, ids: readonly string[]) => count(everyMerchant().$queryRaw`
  SELECT count(*)::int AS n FROM unnest(${ids}::text[]) id WHERE NOT EXISTS (
    SELECT FROM change c JOIN entry e ON e.merchant_id = c.merchant_id AND e.subject = c.id AND e.revision = 1 AND e.digest = c.digest WHERE c.merchant_id = ${merchantId} AND c.id = id)`);

/** Changes whose approval was told as done and that have none in decisions and log. */
const undecided = (merchantId: string, ids: readonly string[]) => count(everyMerchant().$queryRaw`
  SELECT count(*)::int AS n FROM unnest(${ids}::text[]) id WHERE NOT EXISTS (
    SELECT FROM decision d JOIN entry e ON e.merchant_id = d.merchant_id AND e.subject = d.change_id AND e.revision = d.revision AND e.type = 'change.approved'
     WHERE d.merchant_id = ${merchantId} AND d.change_id = id AND d.kind = 'approve')`);

/** More changes than keys that were answered. */
async function manyPerKey(merchantId: string, acknowledged: number): Promise<number> {
  const answered = await count(everyMerchant().$queryRaw`SELECT count(*)::int AS n FROM stored_answer WHERE merchant_id = ${merchantId} AND status = 201`);
  const changes = await everyMerchant().change.count({ where: { merchantId } });
  return Math.max(0, changes - answered) + Math.max(0, acknowledged - answered);
}

type Unfinished = { id: string; state: string; effects: string | null; sent: string | null };

/** Changes that are neither ended nor waiting for a person, with what is still to be done about them. */
const unfinished = (merchantId: string): Promise<Unfinished[]> => everyMerchant().$queryRaw`
  SELECT c.id, c.state, (SELECT json_agg(o)::text FROM outbox o WHERE o.merchant_id = c.merchant_id AND o.subject = c.id AND o.type = 'change.apply') AS effects,
         (SELECT json_agg(w)::text FROM platform_write w WHERE w.merchant_id = c.merchant_id AND w.change_id = c.id) AS sent
    FROM change c WHERE c.merchant_id = ${merchantId} AND c.state IN ('approved', 'applying')`;

const half = (merchantId: string) => count(everyMerchant().$queryRaw`
  SELECT count(*)::int AS n FROM change c FULL JOIN (SELECT body::json ->> 'id' AS id FROM stored_answer WHERE merchant_id = ${merchantId} AND status = 201) a USING (id)
   WHERE (c.merchant_id = ${merchantId} OR c.merchant_id IS NULL)
     AND (c.id IS NULL OR a.id IS NULL OR NOT EXISTS (SELECT FROM change_content x WHERE x.merchant_id = c.merchant_id AND x.change_id = c.id)
       OR NOT EXISTS (SELECT FROM change_verdict x WHERE x.merchant_id = c.merchant_id AND x.change_id = c.id)
       OR c.state = 'staged' AND NOT EXISTS (SELECT FROM outbox x WHERE x.merchant_id = c.merchant_id AND x.subject = c.id AND x.type = 'change.expire'))`);
