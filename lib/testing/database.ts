import { randomUUID } from "node:crypto";
import { afterAll, inject } from "vitest";
import { connected, createDatabase, dropDatabase, onDatabase } from "../../scripts/databases.mjs";
import { PrismaPg } from "@prisma/adapter-pg";
import { closeDatabase } from "../database/client";
import { PrismaClient } from "../database/generated/client";

declare module "vitest" {
  interface ProvidedContext {
    testDatabase: { template: string; ownerUrl: string; appUrl: string };
  }
}

/** `appUrl` is the application's login, which owns nothing; `ownerUrl` the owner's, who may disable triggers. */
export type TestDatabase = { appUrl: string; ownerUrl: string };

/**
 * A migrated, empty database for one test file, dropped after its last test. The code under test uses it,
 * for it becomes this process's `DATABASE_URL`. Call it once, in `beforeAll` or at the top of the file.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject("testDatabase");
  const name = `test_${randomUUID()}`;
  await createDatabase(server.ownerUrl, name, server.template);
  const appUrl = onDatabase(server.appUrl, name);
  process.env.DATABASE_URL = appUrl;
  owner = new PrismaClient({ adapter: new PrismaPg({ connectionString: onDatabase(server.ownerUrl, name), max: 4 }) });
  afterAll(async () => {
    await everyMerchant().$disconnect();
    await closeDatabase();
    await dropDatabase(server.ownerUrl, name);
  });
  return { appUrl, ownerUrl: onDatabase(server.ownerUrl, name) };
}

let owner: PrismaClient | undefined;

/** The test database by its owner's login, whom row-level security does not bind: for looking at what happened, and for making it happen. */
export function everyMerchant(): PrismaClient {
  if (!owner) throw new Error("call testDatabase() first");
  return owner;
}

/** Stops the database's clock at an instant (RFC 3339), or lets it run again with null. */
export async function setClock(ownerUrl: string, iso: string | null): Promise<void> {
  const now = iso === null ? "date_trunc('milliseconds', clock_timestamp())" : `timestamptz '${new Date(iso).toISOString()}'`;
  await connected(ownerUrl, (client) =>
    client.query(`CREATE OR REPLACE FUNCTION ledger_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT ${now} $$`),
  );
}

/** Runs SQL on one connection of its own, for tests that attack the database or prepare it as its owner. */
export async function sql<Row = Record<string, unknown>>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  return connected(url, async (client) => (await client.query(text, values)).rows as Row[]);
}
