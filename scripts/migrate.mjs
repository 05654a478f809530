import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filters, MIGRATIONS, migrationsList, openEngine, schemaFiles, withShadow } from "./schema-engine.mjs";
import { fail, Stop } from "./steps.mjs";

const USAGE = "npm run migrate -- deploy | status | drift | create NAME, on DATABASE_OWNER_URL or the running demo's database";

/** The SQL that the schema has and the migrations lack; null where they agree. */
async function drift(serverUrl) {
  return withShadow(serverUrl, async (shadow) => {
    await shadow.applyMigrations({ migrationsList: migrationsList(), filters });
    const { exitCode, stdout } = await shadow.diff({
      from: { tag: "schemaDatasource", files: schemaFiles(), configDir: process.cwd() },
      to: { tag: "schemaDatamodel", files: schemaFiles() },
      script: true,
      shadowDatabaseUrl: null,
      exitCode: true,
      filters,
    });
    return exitCode ? `${stdout.trimEnd()}\n` : null;
  });
}

const commands = {
  async deploy(url) {
    const { appliedMigrationNames: names } = await (await openEngine(url)).applyMigrations({ migrationsList: migrationsList(), filters });
    console.log(names.length ? `applied ${names.join(", ")}` : "nothing pending");
  },
  async status(url) {
    const { history, failedMigrationNames, editedMigrationNames } = await (await openEngine(url)).diagnoseMigrationHistory({
      migrationsList: migrationsList(),
      optInToShadowDatabase: false,
      filters,
    });
    const clean = !history && !failedMigrationNames.length && !editedMigrationNames.length;
    console.log(clean ? "up to date" : JSON.stringify({ history, failedMigrationNames, editedMigrationNames }, null, 2));
    if (!clean) process.exitCode = 1;
  },
  async drift(url) {
    const sql = await drift(url);
    console.log(sql ?? "in sync");
    if (sql) process.exitCode = 1;
  },
  async create(url, name) {
    if (!/^[a-z0-9_]+$/.test(name ?? "")) throw new Stop(USAGE);
    const folder = join(MIGRATIONS, `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`);
    const sql = (await drift(url)) ?? "";
    mkdirSync(folder);
    writeFileSync(join(folder, "migration.sql"), sql);
    console.log(`created ${folder}`);
  },
};

function ownerUrl() {
  if (process.env.DATABASE_OWNER_URL) return process.env.DATABASE_OWNER_URL;
  if (existsSync(".data/demo.json")) return JSON.parse(readFileSync(".data/demo.json", "utf8")).ownerDatabaseUrl;
  throw new Stop(USAGE);
}

const [name, argument] = process.argv.slice(2);
try {
  if (!commands[name]) throw new Stop(USAGE);
  await commands[name](ownerUrl(), argument);
} catch (error) {
  fail(error.meta ? new Stop(`${error.code}: ${error.message} ${JSON.stringify(error.meta)}`) : error);
}
process.exit(); // the engine keeps its pool open
