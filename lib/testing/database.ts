import { randomUUID } from "node:crypto";
import { afterAll, inject } from "vitest";
import { connected, createDatabase, dropDatabase, onDatabase } from "../../scripts/databases.mjs";
import { closeDatabase } from "../database/client";
import { closeOwner } from "./owner";

declare module "vitest" {
  interface ProvidedContext {
    testDatabase: { template: string; ownerUrl: string; appUrl: string };
  }
}

/** `appUrl` is the application's login, which owns nothing; `ownerUrl` the owner's, who may disable triggers. */
export type TestDatabase = { appUrl: string; ownerUrl: string };

/**
 * A migrated, empty database for one test file, dropped after its last test. The code under test uses it,
 * for its logins become this process's `DATABASE_URL` and `DATABASE_OWNER_URL`. Call it once, in `beforeAll` or at the top of the file.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject("testDatabase");
  const name = `test_${randomUUID()}`;
  await createDatabase(server.ownerUrl, name, server.template);
  const [appUrl, ownerUrl] = [onDatabase(server.appUrl, name), onDatabase(server.ownerUrl, name)];
  Object.assign(process.env, { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl });
  afterAll(async () => {
    await closeOwner();
    await closeDatabase();
    await dropDatabase(server.ownerUrl, name);
  });
  return { appUrl, ownerUrl };
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
