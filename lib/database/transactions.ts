import { Prisma, type PrismaClient } from "./generated/client";
import { prisma } from "./client";

/** A piece of SQL with its parameters, to be put into a larger one. */
export const sql = Prisma.sql;
export type Sql = Prisma.Sql;

/** Reads and writes inside a transaction. */
export type Db = Prisma.TransactionClient;
/** What reads accept: a transaction or the client itself. */
export type Reader = Db | PrismaClient;

const RETRIED = new Set(["40001", "40P01"]);

/** PostgreSQL's SQLSTATE of a failure, wherever Prisma or pg put it; undefined if it has none. */
export function sqlState(error: unknown): string | undefined {
  const e = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: string } } }; cause?: { originalCode?: string }; code?: string };
  return e?.meta?.driverAdapterError?.cause?.originalCode ?? e?.cause?.originalCode ?? e?.code;
}

/** One READ COMMITTED transaction on one merchant's rows; after a deadlock or a serialisation failure nothing of it remained and it runs again, at most 3 times. */
export async function inTransaction<T>(merchantId: string, work: (db: Db) => Promise<T>): Promise<T> {
  const scoped = async (db: Db): Promise<T> => {
    await db.$executeRaw`SELECT set_config('undersigned.merchant', ${merchantId}, true)`;
    return work(db);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await prisma().$transaction(scoped, { isolationLevel: Prisma.TransactionIsolationLevel.ReadCommitted, maxWait: 10_000, timeout: 15_000 });
    } catch (error) {
      if (attempt > 3 || !RETRIED.has(sqlState(error) ?? "")) throw error;
    }
  }
}

/** The database's clock, in milliseconds' precision. */
export async function databaseNow(db: Reader = prisma()): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT ledger_clock() AS now`;
  return row!.now;
}
