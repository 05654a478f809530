import { expect, test } from "vitest";
import { runKills } from "./run";

// The bounded form of `npm run test:kill`. KILL_SEED draws the same operations and instants again.
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);

test("web, worker and PostgreSQL killed at seeded instants: nothing acknowledged is lost, nothing paid twice, nothing stuck", async () => {
  const report = await runKills({ folder: ".data/kill-test-db", seed, trials: 40, callers: 10, everyTrials: 6, distDir: null });
  console.log(JSON.stringify(report));
  expect(report, `KILL_SEED=${seed}`).toMatchObject({ lost: 0, double: 0, unbalanced: 0, stuck: 0, half: 0, findings: [], fallen: [] });
  expect(Object.values(report.kills).reduce((sum, n) => sum + n)).toBeGreaterThan(1);
}, 240_000);
