import { beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database";
import { BOUNDED_STEPS, runModel } from "../testing/model/run";

// MODEL_SEED runs one again, MODEL_SEEDS so many, MODEL_STEPS longer ones.
const first = Number(process.env.MODEL_SEED ?? Date.now() % 1_000_000);
const seeds = Array.from({ length: Number(process.env.MODEL_SEEDS ?? (process.env.MODEL_SEED ? 1 : 2)) }, (_, n) => first + n);
const steps = Number(process.env.MODEL_STEPS ?? BOUNDED_STEPS);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});

test.each(seeds)("random commands against a model, seed %i", async (seed) => {
  const report = await runModel({ seed, steps, ownerUrl: database.ownerUrl, checkEvery: 40 });
  console.log(JSON.stringify(report));
  expect(report.entries).toBeGreaterThan(0);
}, 60_000 + steps * 6000);
