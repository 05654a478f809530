import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createDatabase, databaseExists, dropDatabase, onDatabase } from "./databases.mjs";
import { startPostgres } from "./embedded.mjs";

const MIGRATIONS = "prisma/migrations";
const RUNS = "undersigned-tests";
const MAKING = 20_261_130; // any number: the advisory lock's

/**
 * Once per run of Vitest: a PostgreSQL for tests and in it a migrated template, which `lib/testing/database` copies.
 * Runs at the same time share both, and the last one out stops the server. TEST_DATABASE_OWNER_URL and
 * TEST_DATABASE_URL (the application's login) name an outside one instead, whose owner may create databases.
 */
export default async function setup({ provide }) {
  const { ownerUrl, appUrl, stop } = process.env.TEST_DATABASE_OWNER_URL ? outside() : await startPostgres(".data/test-db");
  const template = `test_template_${migrationsDigest()}`;
  const run = new pg.Client({ connectionString: ownerUrl, application_name: RUNS });
  await run.connect();
  await run.query("SELECT pg_advisory_lock($1)", [MAKING]);
  if (await alone(run)) await sweep(run, ownerUrl, template);
  if (!(await databaseExists(ownerUrl, template))) await makeTemplate(run, ownerUrl, template);
  await run.query("SELECT pg_advisory_unlock($1)", [MAKING]);
  provide("testDatabase", { template, ownerUrl, appUrl });
  return async () => {
    const last = await alone(run);
    await run.end();
    if (last) await stop();
  };
}

const outside = () => ({ ownerUrl: process.env.TEST_DATABASE_OWNER_URL, appUrl: process.env.TEST_DATABASE_URL, stop: async () => {} });

function migrationsDigest() {
  const digest = createHash("sha256");
  for (const name of readdirSync(MIGRATIONS, { recursive: true, encoding: "utf8" }).sort()) {
    if (name.endsWith(".sql")) digest.update(name).update(readFileSync(join(MIGRATIONS, name)));
  }
  return digest.digest("hex").slice(0, 16);
}

/** It gets its name only when it is whole, so that a run that is cut off leaves none half made. */
async function makeTemplate(run, ownerUrl, template) {
  const making = `${template}_making`;
  await dropDatabase(ownerUrl, making);
  await createDatabase(ownerUrl, making);
  execFileSync(process.execPath, ["scripts/migrate.mjs", "deploy"], { env: { ...process.env, DATABASE_OWNER_URL: onDatabase(ownerUrl, making) } });
  await run.query(`ALTER DATABASE "${making}" RENAME TO "${template}"`);
}

/** Whether no other run is connected. */
async function alone(run) {
  const { rows } = await run.query("SELECT count(*)::int AS runs FROM pg_stat_activity WHERE application_name = $1", [RUNS]);
  return rows[0].runs === 1;
}

/** Drops what runs that were cut off, or older migrations, left behind. */
async function sweep(run, ownerUrl, template) {
  const { rows } = await run.query("SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%' AND datname <> $1", [template]);
  for (const { datname } of rows) await dropDatabase(ownerUrl, datname);
}
