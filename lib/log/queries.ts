import type { Reader } from "../database/transactions";
import { tenant } from "../database/client";

export type EntryRow = { seq: bigint; at: Date; entry: string; leafHash: string; type: string; subject: string };
const ROW = { seq: true, at: true, entry: true, leafHash: true, type: true, subject: true } as const;

/** Entries of a merchant's log, newest first, before a seq. */
export const entriesBefore = (merchantId: string, before: bigint | null, take: number, db: Reader = tenant(merchantId)): Promise<EntryRow[]> =>
  db.entry.findMany({ where: { merchantId, ...(before !== null && { seq: { lt: before } }) }, orderBy: { seq: "desc" }, take, select: ROW });

/** The entries that are about one subject, newest first. */
export const entriesAbout = (merchantId: string, subject: string, db: Reader = tenant(merchantId)): Promise<EntryRow[]> =>
  db.entry.findMany({ where: { merchantId, subject }, orderBy: { seq: "desc" }, select: ROW });

/** Exact bytes of the entries `from` ≤ seq < `to`, in order: a short read, so that a long export holds no snapshot. */
export async function entryBytes(merchantId: string, from: bigint, to: bigint, db: Reader = tenant(merchantId)): Promise<string[]> {
  const rows = await db.entry.findMany({ where: { merchantId, seq: { gte: from, lt: to } }, orderBy: { seq: "asc" }, select: { entry: true } });
  return rows.map(({ entry }) => entry);
}

/** How many entries the log has, and when it was opened. */
export async function logSize(merchantId: string, db: Reader = tenant(merchantId)): Promise<{ size: bigint; openedAt: Date }> {
  const head = await db.head.findUniqueOrThrow({ where: { merchantId }, select: { nextSeq: true } });
  const first = await db.entry.findUniqueOrThrow({ where: { merchantId_seq: { merchantId, seq: 0n } }, select: { at: true } });
  return { size: head.nextSeq, openedAt: first.at };
}

/** The last fsck of this merchant that ran to its end. */
export const lastCheck = (merchantId: string): Promise<{ at: Date; entries: bigint; findings: number } | null> =>
  tenant(merchantId).fsckRun.findFirst({ where: { merchantId }, orderBy: { at: "desc" }, select: { at: true, entries: true, findings: true } });
