import { entryActor, type EntryActor } from "../kernel/context";
import { observe } from "../kernel/metrics";
import type { Permit } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { inTransaction, type Db } from "../database/transactions";
import { appendEntry, appendMove, appendStaged, type Appended, type EntryDraft, type Move } from "../log/append";
import type { Effect } from "../outbox/effect";
import { enqueue } from "../outbox/enqueue";
import { leavesTrace, traceRefusal, type Attempt } from "./refusal-trace";
import { requireStanding } from "./standing";

/** A write, its entries and its effects: all or none. Without an entry it does not compile. */
export type Committed<T> = { result: T; entries: readonly [Appended, ...Appended[]]; effects: readonly Effect[] };

/** Inside a commit the merchant's log is locked: facts read through `db` cannot move until COMMIT. */
export type Ledger = {
  readonly db: Db;
  /** The log's time: never before the last entry, so what has expired stays expired when a clock is set back. */
  readonly now: Date;
  /** The database's clock as it is: what takes effect later is counted from it, so that a clock that was set back delays nothing new. */
  readonly clock: Date;
  readonly policyVersion: number;
  readonly paused: boolean;
  append(draft: EntryDraft): Promise<Appended>;
  /** A new change and its entry: the members of `stage_item`. Who acts is in its entry. */
  stage(item: { readonly [member: string]: unknown }): Promise<Appended>;
  /** `as` names another actor than the caller: who approved, when the worker applies. */
  move(move: Move, as?: EntryActor): Promise<Appended>;
};

/** Thrown by work that finds, under the lock, that someone came first: rolls back and leaves no trace. */
export class NothingToDo extends Error {}

type Head = { now: Date; clock: Date; policyVersion: number; paused: boolean };

/**
 * The one write transaction. The lock comes first, then a savepoint: a Refusal rolls back to it, its trace is written and
 * committed, and then it goes on to the caller. `before` runs ahead of the lock (an agent's session is taken there).
 */
export async function commit<T>(
  permit: Permit, attempt: Attempt, work: (ledger: Ledger) => Promise<Committed<T>>, before?: (db: Db) => Promise<void>,
): Promise<T> {
  const { ctx, permission } = permit;
  const started = performance.now();
  const outcome = await inTransaction(ctx.merchantId, async (db) => {
    await before?.(db);
    const ledger = await lockLedger(db, permit);
    await db.$executeRaw`SAVEPOINT attempt`;
    try {
      await requireStanding(db, ctx, permission, ledger.now);
      const { result, effects } = await work(ledger);
      await enqueue(db, ctx.merchantId, effects);
      return { result };
    } catch (error) {
      if (!(error instanceof Refusal) || !leavesTrace(error)) throw error;
      await db.$executeRaw`ROLLBACK TO SAVEPOINT attempt`;
      await traceRefusal(db, ctx, attempt, error);
      return { refusal: error };
    }
  });
  observe("undersigned_commit_seconds", { verb: attempt.verb }, (performance.now() - started) / 1000);
  if ("refusal" in outcome) throw outcome.refusal;
  return outcome.result;
}

async function lockLedger(db: Db, { ctx }: Permit): Promise<Ledger> {
  const [head] = await db.$queryRaw<Head[]>`SELECT now, clock, policy_version AS "policyVersion", paused FROM ledger_lock(${ctx.merchantId})`;
  const caller = entryActor(ctx.actor);
  return {
    db, ...head!,
    stage: (item) => appendStaged(db, ctx.merchantId, item),
    append: (draft) => appendEntry(db, ctx.merchantId, caller, draft),
    move: (move, as = caller) => appendMove(db, ctx.merchantId, as, move),
  };
}
