import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKS } from "./check.mjs";
import { lock } from "./lock.mjs";
import { prepare } from "./prepare.mjs";
import { launch, onEnd, stopAll } from "./processes.mjs";
import { build, isBuilt, keptSecret, migrate, openDatabase, seed, serve } from "./stack.mjs";
import { fail, freePort, needSpace, step, Stop } from "./steps.mjs";

const FOLDER = ".data/test";
const CLUSTER = ".data/e2e-db";
const LOGS = join(FOLDER, "logs");
const DIST = ".next-test";

const tally = { passed: 0, failed: 0 };
let release;
let aborted = false;

/** Everything that can be checked here, on a database and a port of its own. Goes on after a failure, and counts it. */
async function test() {
  release = lock(join(FOLDER, "test.pid"), (pid) => `Tests run from this folder already, as process ${pid}: wait for them.`);
  onEnd(() => void abort());
  needSpace(FOLDER, 500);
  console.log("Undersigned's tests. They take about 5 minutes.");
  await prepare();
  await needBrowser();
  for (const { name, args } of CHECKS) await check(name, args);
  await unitTests();
  await ownPostgres();
  await browserTests();
}

async function needBrowser() {
  const { browserInstall, browserOptions } = await import("./browser.mjs");
  if (!browserOptions()) throw new Stop(`The tests need a browser. This installs one:\n\n  ${browserInstall()}\n`);
}

async function check(name, args, about = "3 seconds") {
  const program = launch(process.execPath, args, { log: join(LOGS, `${name}.log`), env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });
  const code = await step(`Checking ${name}`, about, () => program.ended);
  count(code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  if (code !== 0) console.log(program.tail());
}

async function unitTests() {
  const report = join(FOLDER, "vitest.json");
  await reported("Unit and database tests", ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`], report, {
    env: process.env,
    read: ({ numPassedTests, numFailedTests, testResults }) => ({ passed: numPassedTests, failed: numFailedTests + testResults.filter(cannotRun).length }),
  });
}

/** A file whose tests could not even begin, or end. */
const cannotRun = ({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed");

/** The invariants, tenancy, identity and backup, on a PostgreSQL older than the embedded one where it is installed. */
async function ownPostgres() {
  const { installedPostgres } = await import("./test-postgres.mjs");
  if (installedPostgres()) await check("an installed PostgreSQL", ["scripts/test-postgres.mjs", "lib/ledger", "lib/database", "lib/identity", "scripts/backup"], "1 minute");
  else console.log("· No PostgreSQL is installed here: the embedded one alone was tested");
}

async function browserTests() {
  const { removePostgres } = await import("./embedded.mjs");
  await removePostgres(CLUSTER);
  rmSync(join(FOLDER, "seed.json"), { force: true });
  if (!isBuilt(DIST)) await step("Building the pages", "1 minute", () => build(DIST, LOGS));
  const database = await step("Starting a database", "2 seconds", () => openDatabase(CLUSTER, "undersigned"));
  await step("Migrating it", "1 second", () => migrate(database, LOGS));
  const seeded = await step("Seeding it", "5 seconds", () => seed(database, FOLDER, [], LOGS));
  const port = await freePort();
  const oidc = { issuer: `http://127.0.0.1:${await freePort()}`, clientId: "undersigned", clientSecret: randomBytes(16).toString("hex") }; // e2e/oidc.spec.ts runs it
  Object.assign(process.env, { UNDERSIGNED_SIGN_INS_PER_MINUTE: "1000", UNDERSIGNED_OIDC_ISSUER: oidc.issuer, UNDERSIGNED_OIDC_CLIENT_ID: oidc.clientId, UNDERSIGNED_OIDC_CLIENT_SECRET: oidc.clientSecret });
  const { url } = await step("Starting web server and worker", "3 seconds", () =>
    serve(database, { port, distDir: DIST, secret: keptSecret(join(FOLDER, "secret")), logs: LOGS }),
  );
  const demo = join(FOLDER, "demo.json");
  const { databaseUrl, ownerDatabaseUrl } = database;
  writeFileSync(demo, JSON.stringify({ url, ...seeded, databaseUrl, ownerDatabaseUrl, oidc }), { mode: 0o600 });

  const report = join(FOLDER, "playwright.json");
  await reported("Browser tests", ["node_modules/@playwright/test/cli.js", "test", "--reporter=list,json"], report, {
    env: { ...process.env, DEMO_JSON: demo, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    read: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
  });
}

/** Runs a test runner in sight and counts by its report; a runner that failed without a failed test counts as one. */
async function reported(what, args, report, { env, read }) {
  console.log(`\n${what}`);
  rmSync(report, { force: true });
  const code = await launch(process.execPath, args, { log: report.replace(".json", ".log"), env, echo: true }).ended;
  const { passed, failed } = existsSync(report) ? read(JSON.parse(readFileSync(report, "utf8"))) : { passed: 0, failed: 0 };
  count({ passed, failed: code === 0 ? failed : Math.max(failed, 1) });
}

function count({ passed, failed }) {
  tally.passed += passed;
  tally.failed += failed;
}

async function tearDown() {
  await stopAll();
  if (existsSync("node_modules/pg")) await (await import("./embedded.mjs")).removePostgres(CLUSTER);
  release();
}

/** Vitest, when it is cut off, leaves its server running. */
async function abort() {
  if (aborted) return;
  aborted = true;
  await tearDown();
  if (existsSync("node_modules/pg")) await (await import("./embedded.mjs")).stopPostgres(".data/test-db");
  process.exit(1);
}

async function finish() {
  if (release) await tearDown();
  console.log(`\n${tally.passed} passed, ${tally.failed} failed`);
  process.exit(tally.failed === 0 ? 0 : 1);
}

await test().catch((error) => {
  if (aborted) return;
  fail(error);
  count({ passed: 0, failed: 1 });
});
if (!aborted) await finish();
