import { parseArgs } from "node:util";
import { runKills } from "../lib/testing/kill/run";
import { build, isBuilt } from "./stack.mjs";
import { step } from "./steps.mjs";

const USAGE = "npm run test:kill -- [--trials 10000] [--seed N] [--callers 16] [--every 25] [--light]";

const DIST = ".next-test";

/** The build that `npm test` uses too, made where it is missing or of other sources. */
async function builtPages(): Promise<string> {
  if (!isBuilt(DIST)) await step("Building the pages", "1 minute", () => build(DIST, ".data/logs"));
  return DIST;
}

/** Kills web, worker and PostgreSQL at seeded instants during so many stagings and decisions, and says what was lost, paid twice or stuck. `--light`: without Next. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { trials: { type: "string", default: "10000" }, seed: { type: "string", default: String(Date.now() % 1_000_000) }, callers: { type: "string", default: "16" }, every: { type: "string", default: "25" }, light: { type: "boolean", default: false } } });
  const distDir = values.light ? null : await builtPages();
  const plan = { folder: ".data/kill-db", seed: Number(values.seed), trials: Number(values.trials), callers: Number(values.callers), everyTrials: Number(values.every), distDir };
  console.log(`seed ${plan.seed}; the same with --seed ${plan.seed}`);
  const report = await runKills({ ...plan, say: (line) => console.log(line) });
  console.log(JSON.stringify(report, null, 2));
  const { lost, double, unbalanced, stuck, half, findings, fallen } = report;
  if (lost + double + unbalanced + stuck + half + findings.length + fallen.length > 0) process.exitCode = 1;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error && error.message.startsWith("Unknown option") ? USAGE : error);
  process.exitCode = 1;
});
