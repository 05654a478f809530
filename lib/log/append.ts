import { canonicalJson, type Json } from "../kernel/canonical-json";
import type { EntryActor } from "../kernel/context";
import type { Db } from "../database/transactions";

declare const appended: unique symbol;
/** Proof of an entry in the log. Only this file makes one; a commit does not return without one. */
export type Appended = { readonly seq: bigint; readonly at: Date; readonly leafHash: string; readonly [appended]: true };

export type EntryDraft = { type: string; subject: string; data: Json; revision?: number; digest?: string };

/** What the caller says of an entry; the database adds log, seq, at, prev and v, and writes the canonical bytes. */
export const draftText = (actor: EntryActor, draft: EntryDraft): string =>
  canonicalJson({ actor, data: draft.data, digest: draft.digest, revision: draft.revision, subject: draft.subject, type: draft.type });

type Row = { seq: bigint; at: Date; leafHash: string };
const proof = (rows: Row[]): Appended => {
  if (!rows[0]) throw new Error("the log gave no entry");
  return rows[0] as Appended;
};

/** An entry that moves no change. */
export async function appendEntry(db: Db, merchantId: string, actor: EntryActor, draft: EntryDraft): Promise<Appended> {
  return proof(await db.$queryRaw<Row[]>`SELECT seq, at, leaf_hash AS "leafHash" FROM ledger_append(${merchantId}, ${draftText(actor, draft)})`);
}

export type Move = { changeId: string; revision: number; digest: string; to: string; type: string; effectiveAt: Date | null; data: Json };

/** The only writer of a change's state: the row's move and its entry, in one statement. `revision` is the one it leaves. */
export async function appendMove(db: Db, merchantId: string, actor: EntryActor, move: Move): Promise<Appended> {
  const draft = draftText(actor, { type: move.type, subject: move.changeId, data: move.data, revision: move.revision + 1, digest: move.digest });
  return proof(await db.$queryRaw<Row[]>`
    SELECT seq, at, leaf_hash AS "leafHash"
      FROM change_advance(${merchantId}, ${move.changeId}, ${move.revision}::int, ${move.to}, ${move.effectiveAt}::timestamptz, ${draft})`);
}

/** A new change with all that belongs to it, and its entry, in one statement: the members of `stage_item` (prisma/migrations). */
export async function appendStaged(db: Db, merchantId: string, item: { readonly [member: string]: unknown }): Promise<Appended> {
  return proof(await db.$queryRaw<Row[]>`
    SELECT seq, at, leaf_hash AS "leafHash"
      FROM stage_insert(${merchantId}, jsonb_populate_record(NULL::stage_item, ${JSON.stringify(item)}::jsonb), (SELECT next_seq FROM head WHERE merchant_id = ${merchantId}))`);
}

/** The entry that a change's revision stands on: proof that an earlier call wrote it. */
export async function entryAt(db: Db, merchantId: string, subject: string, revision: number): Promise<Appended> {
  return proof(await db.$queryRaw<Row[]>`
    SELECT seq, at, leaf_hash AS "leafHash" FROM entry WHERE merchant_id = ${merchantId} AND subject = ${subject} AND revision = ${revision}::int`);
}
