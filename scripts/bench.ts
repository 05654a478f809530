import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { closeDatabase } from "../lib/database/client";
import { publishPolicy } from "../lib/guardrails/publish";
import { BUSY_RULES } from "./bench/ground";
import { benchHttp } from "./bench/http";
import type { Compared } from "./bench/rounds";
import { benchStaging } from "./bench/staging";
import { costOfVerbs, type Cost } from "./bench/verbs";
import { benchVerifying } from "./bench/verifying";
import { stopAll } from "./processes.mjs";
import { build, isBuilt, migrate, openDatabase, seed, serve } from "./stack.mjs";
import { freePort, step } from "./steps.mjs";

// Speed as ratios, side by side in one run on one machine: medians of alternating rounds. Prints one table and writes bench.json.

const FOLDER = ".data/bench";
const LOGS = `${FOLDER}/logs`;
const DIST = ".next-bench";

async function main(): Promise<void> {
  const database = await openDatabase(`${FOLDER}/db`, `bench_${Date.now()}`);
  try {
    await step("Bringing tables up to date", "2 seconds", () => migrate(database, LOGS));
    process.env.DATABASE_URL = database.databaseUrl;
    process.env.DATABASE_OWNER_URL = database.ownerDatabaseUrl;
    process.env.UNDERSIGNED_POOL = "10";
    const rows = await step("Staging", "2 minutes", () => benchStaging(database));
    const costs = await step("Verbs", "10 seconds", () => costOfVerbs());
    if (!isBuilt(DIST)) await step("Building the pages", "1 minute", () => build(DIST, LOGS));
    const { agentKey, merchant } = (await step("Seeding a shop", "10 seconds", () => seed(database, FOLDER, [], LOGS))) as { agentKey: string; merchant: { id: string } };
    await publishPolicy({ merchantId: merchant.id, actor: { kind: "system", id: "setup" }, now: new Date(), requestId: "bench" }, BUSY_RULES);
    process.env.UNDERSIGNED_REQUESTS_PER_MINUTE = "100000000";
    const { url } = await serve(database, { port: await freePort(), distDir: DIST, secret: "bench".repeat(8), logs: LOGS });
    rows.push(await step("Verifying", "30 seconds", () => benchVerifying()));
    rows.push(await step("HTTP", "1 minute", () => benchHttp(url, agentKey)));
    tell(rows, costs);
  } finally {
    await stopAll();
    await closeDatabase();
    await database.stop();
  }
}

function tell(rows: readonly Compared[], costs: readonly Cost[]): void {
  const machine = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model ?? "", memoryGiB: Math.round(totalmem() / 2 ** 30) };
  console.log(`\nNode ${machine.node}, ${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB\n`);
  console.log("| figure | ratio | target | ours per second (p50, p99 ms) | against |\n|---|---|---|---|---|");
  for (const { figure, ratio, target, met, ours, theirs } of rows) {
    console.log(`| ${figure} | ${ratio.toFixed(2)}${met ? "" : " (missed)"} | ${target} | ${ours.perSecond.toFixed(0)} (${ours.p50.toFixed(1)}, ${ours.p99.toFixed(1)}) | ${theirs.perSecond.toFixed(0)} (${theirs.p50.toFixed(1)}, ${theirs.p99.toFixed(1)}) |`);
  }
  console.log("\n| one call, alone | ms |\n|---|---|");
  for (const { verb, ms } of costs) console.log(`| ${verb} | ${ms.toFixed(1)} |`);
  writeFileSync("bench.json", `${JSON.stringify({ machine, rows, costs }, null, 2)}\n`);
}

await main();
process.exit(0);
