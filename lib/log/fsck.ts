import type { Finding, FindingKind } from "../audit/finding";
import { pool, tenant } from "../database/client";
import { checkChanges } from "./checks/changes";
import { checkDecisions } from "./checks/decisions";
import { checkEntries, readSize } from "./checks/entries";
import { checkGovernance } from "./checks/governance";
import { checkLinks } from "./checks/links";
import { checkMissing } from "./checks/missing";
import { checkPayments } from "./checks/payments";
import { checkPeople } from "./checks/people";
import type { Checking } from "./checks/read";
import { checkRefunds } from "./checks/refunds";
import { checkTexts } from "./checks/texts";
import { checkWrites } from "./checks/writes";

/** `size` is entries, over all merchants. Not anchored: no trusted key takes part. A finding's place begins with the merchant's id. */
export type Fsck = { ok: boolean; anchored: false; size: number; findings: Finding[] };
export type Progress = (done: number, total: number, slug: string) => void;

const ROWS = [checkChanges, checkDecisions, checkWrites, checkRefunds, checkPayments, checkPeople, checkGovernance, checkLinks, checkTexts];

/** Checks every merchant's log, and every row against it. Only reads, but for the record of each merchant's run. */
export async function fsck(onProgress: Progress = () => undefined): Promise<Fsck> {
  const { rows: merchants } = await pool().query<{ id: string; slug: string }>("SELECT id, slug FROM merchants()");
  let total = 0;
  for (const { id } of merchants) total += await readSize(id);
  const result: Fsck = { ok: true, anchored: false, size: 0, findings: [] };
  let done = 0;
  for (const { id, slug } of merchants) {
    const { entries, findings } = await fsckMerchant(id, (range) => onProgress((done += range), Math.max(done, total), slug));
    result.size += entries;
    for (const finding of findings) result.findings.push({ ...finding, place: `${id} ${finding.place}` });
  }
  return { ...result, ok: result.findings.length === 0 };
}

/** One merchant. Others may write meanwhile: entries are checked as far as they went when it began, rows each at one moment. */
export async function fsckMerchant(merchantId: string, onRange: (entries: number) => void = () => undefined): Promise<{ entries: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  const report = (kind: FindingKind, place: string, detail: string) => { findings.push({ kind, place, detail }); };
  const checking: Checking = { merchantId, report };
  const { entries, size } = await checkEntries(checking, onRange);
  for (const check of ROWS) await check(checking);
  await checkMissing(checking, size);
  await tenant(merchantId).$executeRaw`
    INSERT INTO fsck_run (merchant_id, at, entries, findings) VALUES (${merchantId}, ledger_clock(), ${entries}, ${findings.length}) ON CONFLICT DO NOTHING`;
  return { entries, findings };
}
