import { readEntry } from "../../audit/entry";
import { canonicalJson } from "../../kernel/canonical-json";
import { compare, read, readRanges, type Checking } from "./read";

type Proposal = { base: number; rules: string; proposed_by: string };
type Pause = { paused_by: string; reason_digest: string };
type Schedule = { key: string; change_id: string; revision: number; person_id: string; at: Date; entry: string | null };

/** What waits for a second admin, who threw the switch, and chosen times, against the entries about each. */
export async function checkGovernance(checking: Checking): Promise<void> {
  await checkProposal(checking);
  await checkPause(checking);
  await checkSchedules(checking);
}

/** The last entry of these types about the merchant. */
async function lastOf({ merchantId }: Checking, types: readonly string[]) {
  const [row] = await read<{ entry: string }>("SELECT e.entry FROM entry e WHERE e.merchant_id = $1 AND e.subject = $1 AND e.type = ANY ($2) ORDER BY e.seq DESC LIMIT 1", [merchantId, types]);
  return row ? readEntry(row.entry).entry : null;
}

async function checkProposal(checking: Checking): Promise<void> {
  const [row] = await read<Proposal>("SELECT base, rules, proposed_by FROM policy_proposal WHERE merchant_id = $1", [checking.merchantId]);
  const last = await lastOf(checking, ["policy.proposed", "policy.declined", "policy.published"]);
  const waits = last?.type === "policy.proposed" ? last : null;
  if (!row && waits) return checking.report("missing_write", "policy proposal", `entry ${waits.seq} proposes a policy, and none waits`);
  if (!row) return;
  if (!waits) return checking.report("unlogged_write", "policy proposal", "no entry says so");
  compare({ base: [row.base, waits.data.base], rules: [row.rules, canonicalJson(waits.data.rules)], proposed_by: [row.proposed_by, waits.actor.id] }, "policy proposal", checking);
}

async function checkPause(checking: Checking): Promise<void> {
  const [row] = await read<Pause>("SELECT paused_by, reason_digest FROM pause WHERE merchant_id = $1", [checking.merchantId]);
  const last = await lastOf(checking, ["merchant.paused", "merchant.resumed"]);
  const holds = last?.type === "merchant.paused" ? last : null;
  if (!row && holds?.data.reasonDigest !== undefined) return checking.report("missing_write", "pause", `entry ${holds.seq} pauses, and nobody is said to have`);
  if (!row) return; // a pause from before reasons were asked for has no row
  if (!holds) return checking.report("unlogged_write", "pause", "no entry says so");
  compare({ paused_by: [row.paused_by, holds.actor.id], reason_digest: [row.reason_digest, holds.data.reasonDigest] }, "pause", checking);
}

const SCHEDULES = `
  SELECT s.change_id || ' ' || lpad(s.revision::text, 10, '0') AS key, s.change_id, s.revision, s.person_id, s.at, e.entry
    FROM change_schedule s LEFT JOIN entry e ON e.merchant_id = s.merchant_id AND e.subject = s.change_id AND e.revision = s.revision
   WHERE s.merchant_id = $1 AND (s.change_id, s.revision) > (split_part($2, ' ', 1), coalesce(nullif(split_part($2, ' ', 2), '')::int, 0))
   ORDER BY s.change_id, s.revision LIMIT $3`;

async function checkSchedules(checking: Checking): Promise<void> {
  for await (const rows of readRanges<Schedule>(SCHEDULES, checking.merchantId, ({ key }) => key)) {
    for (const row of rows) {
      const place = `schedule ${row.change_id}/${row.revision}`;
      const entry = row.entry === null ? null : readEntry(row.entry).entry;
      if (entry?.type !== "change.scheduled") checking.report("unlogged_write", place, "no entry says so");
      else compare({ person_id: [row.person_id, entry.actor.id], at: [row.at.toISOString(), entry.data.at] }, place, checking);
    }
  }
}
