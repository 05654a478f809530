import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../database";
import { runRace } from "./run";

// RACE_SECONDS and RACE_SEED run it longer or again: the operations are drawn from the seed, who comes first is the machine's.
const seconds = Number(process.env.RACE_SECONDS ?? 4);
const seed = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000);

beforeAll(() => testDatabase());

test("64 callers on 3 merchants over two processes: no deadlock, no cap overshot, one gapless chain each", async () => {
  const report = await runRace({ seed, seconds, callers: 64 });
  console.log(JSON.stringify(report));
  expect(report, `RACE_SEED=${seed}`).toMatchObject({ lost: 0, double: 0, unbalanced: 0, stuck: 0, half: 0, overshot: 0, findings: [], faults: [] });
  expect(report.trials).toBeGreaterThanOrEqual(256);
}, (seconds + 120) * 1000);
