import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { lock } from "./lock.mjs";
import { prepare } from "./prepare.mjs";
import { following, launch, onEnd, stopAll, tsx } from "./processes.mjs";
import { build, isBuilt, keptSecret, migrate, openDatabase, seed, serve } from "./stack.mjs";
import { fail, needSpace, portIsFree, step, Stop } from "./steps.mjs";

const FOLDER = ".data";
const CLUSTER = join(FOLDER, "demo-db");
const LOGS = join(FOLDER, "logs");
const DEMO = join(FOLDER, "demo.json");
const KEPT = ["demo.json", "seed.json", "credit-notes.json", "secret"].map((name) => join(FOLDER, name));
const DIST = ".next";

let release;
let database;
let stopping = false;

async function demo() {
  const { reset, data, dev } = options();
  const port = await chosenPort();
  release = lock(join(FOLDER, "demo.pid"), (pid) => `A demo runs from this folder already, as process ${pid}: stop it first.`, ["demo.mjs", "restore.ts"]);
  onEnd(() => void stop());
  needSpace(FOLDER, 500);
  console.log(existsSync(DEMO) && !reset ? "Undersigned. It starts in seconds." : "Undersigned. The first start takes about 3 minutes, later ones seconds.");

  await prepare();
  if (reset) await step("Removing what the last demo left", "2 seconds", removeAll);
  database = await step("Starting the database", "2 seconds", startDatabase);
  await step("Bringing its tables up to date", "2 seconds", () => migrate(database, LOGS));
  const seeded = await step("Looking after the shop's data", existsSync(DEMO) ? "2 seconds" : "20 seconds", () => seed(database, FOLDER, data ? ["--data", data] : [], LOGS));
  if (!dev && !isBuilt(DIST)) await step("Building the pages", "1 minute", () => build(DIST, LOGS));
  const web = await step("Starting web server and worker", "3 seconds", () =>
    serve(database, { port, distDir: dev ? null : DIST, secret: keptSecret(join(FOLDER, "secret")), logs: LOGS }),
  );
  const { databaseUrl, ownerDatabaseUrl } = database;
  writeFileSync(DEMO, `${JSON.stringify({ url: web.url, ...seeded, databaseUrl, ownerDatabaseUrl }, null, 2)}\n`, { mode: 0o600 });
  startAgent(web.env, seeded.agentKey);
  welcome(web.url, seeded);
  const fallen = await web.fallen;
  if (!stopping) throw fallen;
}

function options() {
  try {
    return parseArgs({ options: { reset: { type: "boolean", default: process.env.npm_config_reset === "true" }, data: { type: "string" }, dev: { type: "boolean" } } }).values;
  } catch (error) {
    throw new Stop(`${error.message}\nnpm run demo -- [--reset] [--data FILE]`);
  }
}

async function chosenPort() {
  const port = Number(process.env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Stop(`PORT must be a number from 1 to 65535, and it is "${process.env.PORT}".`);
  if (!(await portIsFree(port))) throw new Stop(`Port ${port} is in use: stop what uses it, or choose another, as in PORT=${port + 1} npm run demo.`);
  return port;
}

function startDatabase() {
  const { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: ownerDatabaseUrl } = process.env;
  if (!databaseUrl) return openDatabase(CLUSTER, "undersigned");
  if (!ownerDatabaseUrl) throw new Stop("With DATABASE_URL set, set DATABASE_OWNER_URL too: the same database by its owner.");
  return { databaseUrl, ownerDatabaseUrl, stop: async () => {} };
}

async function removeAll() {
  if (process.env.DATABASE_URL) throw new Stop("--reset removes only a database that the demo made: empty that of DATABASE_URL yourself.");
  const { removePostgres } = await import("./embedded.mjs");
  await removePostgres(CLUSTER);
  for (const file of KEPT) rmSync(file, { force: true });
}

/** It may finish: then there is nothing left to propose. */
function startAgent(env, agentKey) {
  const log = join(LOGS, "demo-agent.log");
  const agent = launch(process.execPath, following(...tsx("scripts/demo-agent.ts")), { log, env: { ...env, UNDERSIGNED_AGENT_KEY: agentKey } });
  void agent.ended.then((code) => {
    if (code && !stopping) console.log(`The demo agent ended early; all it said is in ${log}.`);
  });
}

function welcome(url, { members, agentKey, other }) {
  const logins = [...members, ...other.members].map(({ role, email, password }) => `  ${role.padEnd(9)} ${email.padEnd(28)} ${password}`);
  console.log(`\n  ${url}\n\n${logins.join("\n")}\n\n  agent key ${agentKey}\n\nAll of it is in ${DEMO}. Ctrl-C stops everything and keeps the data.`);
}

/** Programs first, the database last. */
async function stop(code = 0) {
  if (stopping) return;
  stopping = true;
  console.log("\nStopping …");
  await stopAll();
  await database?.stop();
  release();
  process.exit(code);
}

await demo().catch(async (error) => {
  if (stopping) return;
  fail(error);
  if (release) await stop(1);
});
