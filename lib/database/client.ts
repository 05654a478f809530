import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "./generated/client";

// One pool and one client for the process; Next's reloads in development must not make more.
const kept = globalThis as unknown as { undersignedDatabase?: { pool: pg.Pool; prisma: PrismaClient } };

/** A hung holder of a lock stops only its merchant, and not for long (DESIGN section 5). */
const SETTINGS = "-c lock_timeout=4000 -c idle_in_transaction_session_timeout=10000 -c statement_timeout=30000";

function open() {
  const connectionString = process.env.DATABASE_URL;
  if (!connectionString) throw new Error("DATABASE_URL is not set: it names the database by the application's login");
  const wait = Number(process.env.UNDERSIGNED_POOL_WAIT_MS ?? 10_000);
  const pool = new pg.Pool({ connectionString, options: SETTINGS, max: Number(process.env.UNDERSIGNED_POOL ?? 10), connectionTimeoutMillis: wait });
  // A connection that broke: idle, the next query opens another; in use between two statements, the next one fails. Without a listener it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (connection) => connection.on("error", () => undefined));
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: { maxWait: wait, timeout: 15_000 } }) };
}

const database = () => (kept.undersignedDatabase ??= open());

/**
 * The client of no merchant: row-level security shows it nothing. For the few functions of the database that answer across
 * merchants by a secret or for the worker, and for transactions, which name their merchant first.
 */
export const prisma = (): PrismaClient => database().prisma;

/** Plain connections, for what is hot or streamed. Shares the pool with `prisma`; its statements name their merchant themselves. */
export const pool = (): pg.Pool => database().pool;

/** The rows of one merchant: every operation runs in a transaction that names it, and row-level security shows no other. */
export function tenant(merchantId: string): PrismaClient {
  const client = prisma();
  const scoped = client.$extends({
    query: {
      async $allOperations({ args, query }) {
        const [, result] = await client.$transaction([client.$executeRaw`SELECT set_config('undersigned.merchant', ${merchantId}, true)`, query(args)]);
        return result;
      },
    },
  });
  return scoped as unknown as PrismaClient;
}

export async function closeDatabase(): Promise<void> {
  const open = kept.undersignedDatabase;
  kept.undersignedDatabase = undefined;
  await open?.prisma.$disconnect();
  await open?.pool.end();
}
