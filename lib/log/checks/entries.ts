import { atEntry } from "../../audit/finding";
import { LogCheck } from "../../audit/log-check";
import type { Entry } from "../../audit/entry";
import { sha256 } from "../../audit/sha256";
import { TRANSITIONS } from "../../audit/transitions";
import { compare, read, type Checking } from "./read";

type Head = { next: string | null; last: string | null; at: Date; leaf: string; policy: number; paused: boolean };
type Row = { seq: string; at: Date; entry: string; leaf_hash: string; type: string; subject: string; revision: number | null; digest: string | null; state: string | null };
const RANGE = 2000;

/** A log's size: what its head says, or what there is where that is more. */
export const readSize = async (merchantId: string): Promise<number> => sizeOf(await readHead(merchantId));
const sizeOf = ({ next, last }: Head): number => Math.max(Number(next ?? 0), Number(last ?? -1) + 1);

/** The whole verification of section 7 over the entries in the database, the columns beside them, and the head. `size` is where the log should end. */
export async function checkEntries(checking: Checking, onRange: (entries: number) => void): Promise<{ entries: number; size: number }> {
  const { merchantId, report } = checking;
  const head = await readHead(merchantId);
  const check = new LogCheck(`undersigned/${merchantId}`, sha256, report);
  const size = sizeOf(head);
  let at: string | null = null;
  for (let from = 0; from < size; from += RANGE) {
    const rows = await read<Row>(
      `SELECT seq, at, entry, leaf_hash, type, subject, revision, digest, state FROM entry
        WHERE merchant_id = $1 AND seq >= $2 AND seq < $3 ORDER BY seq`, [merchantId, from, Math.min(from + RANGE, size)]);
    for (const row of rows) {
      const { entry, seq } = check.push(row.entry, { seq: Number(row.seq), leafHash: row.leaf_hash });
      if (entry) compareColumns(row, entry, atEntry(seq), checking);
      at = row.at.toISOString();
    }
    onRange(rows.length);
  }
  endAtHead(check, head, at, checking);
  return { entries: check.size, size };
}

function compareColumns(row: Row, entry: Entry, place: string, checking: Checking): void {
  const moves = Object.hasOwn(TRANSITIONS, entry.type) ? TRANSITIONS[entry.type as keyof typeof TRANSITIONS] : null;
  compare({
    at: [row.at.toISOString(), entry.at], type: [row.type, entry.type], subject: [row.subject, entry.subject], state: [row.state, moves?.to],
    revision: [row.revision, "revision" in entry ? entry.revision : null], digest: [row.digest, "digest" in entry ? entry.digest : null],
  }, place, checking);
}

function endAtHead(check: LogCheck, head: Head, at: string | null, checking: Checking): void {
  const { report } = checking;
  const there = Number(head.last ?? -1) + 1;
  const whole = head.next !== null && Number(head.next) === there;
  check.end(whole ? head.leaf : null);
  if (head.next === null) report("missing_write", "head", "the log has no head");
  else if (Number(head.next) > there) report("truncated", `entry ${there}`, `the log ends here, its head says that ${head.next} entries were written`);
  else if (!whole) report("state_mismatch", "head", `next_seq is ${head.next}, the log has ${there} entries`);
  if (whole && at !== null) {
    compare({ at: [head.at.toISOString(), at], policy_version: [head.policy, check.policy], paused: [head.paused, check.paused] }, "head", checking);
  }
}

/** Head and last entry as of one moment. */
async function readHead(merchantId: string): Promise<Head> {
  const [head] = await read<Head>(
    `SELECT h.next_seq AS next, h.at, h.leaf, h.policy_version AS policy, h.paused, (SELECT max(e.seq) FROM entry e WHERE e.merchant_id = $1) AS last
       FROM (SELECT) one LEFT JOIN head h ON h.merchant_id = $1`, [merchantId]);
  return head!;
}
