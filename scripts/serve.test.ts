import { beforeAll, expect, test } from "vitest";
import { closeDatabase } from "../lib/database/client";
import { databaseProblems } from "../lib/database/start-checks";
import { sql, testDatabase, type TestDatabase } from "../lib/testing/database";
import { onDatabase } from "./databases.mjs";
import { settingProblems } from "./serve-settings";

const WHOLE = { NODE_ENV: "production", DATABASE_URL: "postgresql://…", NEXTAUTH_SECRET: "x".repeat(32), UNDERSIGNED_URL: "https://approvals.example.com", NEXT_DIST_DIR: "no-such-build" } as const;
const NO_BUILD = 'There is no build: run "npm run build".';

let database: TestDatabase;
beforeAll(async () => { database = await testDatabase(); });

async function problemsOf(url: string): Promise<string[]> {
  await closeDatabase();
  process.env.DATABASE_URL = url;
  try {
    return await databaseProblems();
  } finally {
    await closeDatabase();
    process.env.DATABASE_URL = database.appUrl;
  }
}

test("each setting that is missing is named", () => {
  expect(settingProblems({ NODE_ENV: "production", NEXT_DIST_DIR: "no-such-build" }).map((problem) => problem.split(/[ :]/)[0])).toEqual(["DATABASE_URL", "NEXTAUTH_SECRET", "UNDERSIGNED_URL", "There"]);
  expect(settingProblems(WHOLE)).toEqual([NO_BUILD]);
});

test.each([
  [{ NEXTAUTH_SECRET: "short" }, "NEXTAUTH_SECRET has 5 characters and needs at least 32."],
  [{ UNDERSIGNED_URL: "https://approvals.example.com/path" }, 'UNDERSIGNED_URL is "https://approvals.example.com/path" and must be a scheme and a host'],
  [{ UNDERSIGNED_OIDC_ISSUER: "https://id.example.com" }, "UNDERSIGNED_OIDC_CLIENT_ID and UNDERSIGNED_OIDC_CLIENT_SECRET must be set"],
  [{ UNDERSIGNED_TRUSTED_PROXIES: "10.0.0.0/99" }, 'UNDERSIGNED_TRUSTED_PROXIES has "10.0.0.0/99"'],
  [{ PORT: "web" }, 'PORT is "web"'],
])("%j is told", (wrong, told) => {
  expect(settingProblems({ ...WHOLE, ...wrong })).toEqual([expect.stringContaining(told), NO_BUILD]);
});

test("a login that the database's rules do not bind, another schema, no database: each is one sentence", async () => {
  expect(await problemsOf(database.appUrl)).toEqual([]);
  expect(await problemsOf(database.ownerUrl)).toEqual([expect.stringMatching(/^The login undersigned_owner of DATABASE_URL owns tables/)]);
  expect(await problemsOf(onDatabase(database.appUrl, "postgres"))).toEqual([expect.stringMatching(/^The database lacks .*_ledger, .*: run "npm run migrate -- deploy"/)]);
  await sql(database.ownerUrl, "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('later', 'x', '20991231000000_later', now())");
  expect(await problemsOf(database.appUrl)).toEqual(["The database has 20991231000000_later, which this version does not know: start the version that migrated it, or a newer one."]);
  expect(await problemsOf(Object.assign(new URL(database.appUrl), { port: "1" }).href)).toEqual([expect.stringMatching(/^The database of DATABASE_URL does not answer: /)]);
});
