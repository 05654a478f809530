import { parseArgs } from "node:util";
import { runKills } from "../lib/testing/kill/run";

const USAGE = "npm run test:kill -- [--trials 10000] [--seed N] [--callers 16] [--every 25]";

/** Kills web, worker and PostgreSQL at seeded instants during so many stagings and decisions, and says what was lost, paid twice or stuck. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { trials: { type: "string", default: "10000" }, seed: { type: "string", default: String(Date.now() % 1_000_000) }, callers: { type: "string", default: "16" }, every: { type: "string", default: "25" } } });
  const plan = { folder: ".data/kill-db", seed: Number(values.seed), trials: Number(values.trials), callers: Number(values.callers), everyTrials: Number(values.every) };
  console.log(`seed ${plan.seed}; the same with --seed ${plan.seed}`);
  const report = await runKills({ ...plan, say: (line) => console.log(line) });
  console.log(JSON.stringify(report, null, 2));
  const { lost, double, stuck, half, findings, fallen } = report;
  if (lost + double + stuck + half + findings.length + fallen.length > 0) process.exitCode = 1;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error && error.message.startsWith("Unknown option") ? USAGE : error);
  process.exitCode = 1;
});
