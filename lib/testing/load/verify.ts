import { fsckMerchant } from "../../log/fsck";
import { everyMerchant } from "../owner";
import type { Books } from "./books";
import type { Shop } from "./shop";

export type Verdict = {
  /** Acknowledged and not there: stagings, approvals. */
  lost: number;
  /** Paid more than once or beside the log, or one key answered with two changes. */
  double: number;
  /** Neither ended nor waiting for a person. */
  stuck: number;
  /** Changes, answers and effects without each other. */
  half: number;
  findings: string[];
  entries: number;
  applied: number;
  paidMinor: string;
};

type Count = { n: number };
const count = async (rows: Promise<Count[]>): Promise<number> => (await rows)[0]!.n;

/** Holds what callers were told and what the platforms paid against the database and the log. */
export async function verify(shops: readonly Shop[], books: Books): Promise<Verdict> {
  const verdict: Verdict = { lost: 0, double: books.contradicted, stuck: 0, half: 0, findings: [], entries: 0, applied: 0, paidMinor: "0" };
  for (const shop of shops) {
    const { id } = shop.merchant;
    const staged = [...books.staged].filter(([proposal]) => proposal.shop === shop);
    const approved = books.approved.filter((each) => each.shop === shop).map(({ changeId }) => changeId);
    verdict.lost += await missing(id, staged.map(([, changeId]) => changeId)) + await undecided(id, approved);
    verdict.double += await manyPerKey(id, staged.length) + (await paidWrongly(shop, verdict));
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

type Applied = { changes: number; total: string; refunded: string; held: string };

/** What the platform paid out and the log does not say, payment by payment and reference by reference. */
async function paidWrongly({ merchant: { id }, platform }: Shop, verdict: Verdict): Promise<number> {
  const [applied] = await everyMerchant().$queryRaw<Applied[]>`
    SELECT count(*)::int AS changes, coalesce(sum((s.entry::json -> 'data' ->> 'total')::bigint), 0)::text AS total,
           (SELECT sum(p.refunded_minor)::text FROM payment p WHERE p.merchant_id = ${id}) AS refunded, (SELECT sum(p.held_minor)::text FROM payment p WHERE p.merchant_id = ${id}) AS held
      FROM entry a JOIN entry s ON s.merchant_id = a.merchant_id AND s.subject = a.subject AND s.revision = 1 WHERE a.merchant_id = ${id} AND a.type = 'change.applied'`;
  const paid = platform ? await paidElsewhere(id, platform) : await paidByStore(id);
  verdict.applied += applied!.changes;
  verdict.paidMinor = String(BigInt(verdict.paidMinor) + paid.totalMinor);
  const differs = [applied!.total, applied!.refunded].filter((each) => BigInt(each) !== paid.totalMinor).length;
  return paid.twice + differs + (applied!.held === "0" ? 0 : 1);
}

type Paid = { totalMinor: bigint; twice: number };

async function paidByStore(merchantId: string): Promise<Paid> {
  const refunds = await everyMerchant().storeRefund.findMany({ where: { merchantId }, select: { changeId: true, item: true, amountMinor: true } });
  return { totalMinor: refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n), twice: refunds.length - new Set(refunds.map(({ changeId, item }) => `${changeId}/${item}`)).size };
}

async function paidElsewhere(merchantId: string, platform: NonNullable<Shop["platform"]>): Promise<Paid> {
  const payments = new Set((await everyMerchant().payment.findMany({ where: { merchantId }, select: { id: true } })).map(({ id }) => id));
  const refunds = (await platform.control({})).refunds.filter(({ payment }) => payments.has(payment));
  return { totalMinor: refunds.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n), twice: refunds.length - new Set(refunds.map(({ reference }) => reference)).size };
}
