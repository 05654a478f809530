import { LogCheck } from "../../audit/log-check";
import { sha256 } from "../../audit/sha256";
import { fsckMerchant } from "../../log/fsck";
import { setClock } from "../database";
import { makeMerchant } from "../factories";
import { seededRandom } from "../lossy-platform/faults";
import { AIMED } from "./aimed";
import { COMMANDS } from "./commands";
import { Model } from "./model";
import { compare, readOn } from "./read";
import { addOrder, clearly, LOOSE, type Command, type World } from "./world";

const ORDERS = 4;
const RANDOM_BETWEEN = 8;

export type ModelReport = { seed: number; steps: number; entries: number; told: Record<string, number> };

/** Runs so many commands against the real verbs and the real database; throws where the model, the log or the rows disagree. */
export async function runModel({ seed, steps, ownerUrl, checkEvery }: { seed: number; steps: number; ownerUrl: string; checkEvery: number }): Promise<ModelReport> {
  const world = await openWorld(seed, ownerUrl);
  let step = 0;
  for (const [name, run] of draws(world)) {
    if (++step > steps) break;
    try {
      await run(world);
      await readOn(world);
      await compare(world);
      if (step % checkEvery === 0 || step === steps) world.findings.push(...(await fsckMerchant(world.merchant.id)).findings.map(({ kind, place, detail }) => `fsck ${kind} ${place}: ${detail}`));
      if (world.findings.length > 0) throw new Error(world.findings.join("\n"));
    } catch (error) {
      throw new Error(`seed ${seed}, step ${step}, ${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  await setClock(ownerUrl, null);
  return { seed, steps, entries: world.model.next, told: Object.fromEntries(world.told) };
}

async function openWorld(seed: number, ownerUrl: string): Promise<World> {
  const clock = Date.parse("2026-11-30T12:00:00.000Z");
  await setClock(ownerUrl, new Date(clock).toISOString());
  const merchant = await makeMerchant();
  const findings: string[] = [];
  const check = new LogCheck(`undersigned/${merchant.id}`, sha256, (kind, place, detail) => { findings.push(`${kind} ${place}: ${detail}`); });
  const world: World = { merchant, orders: [], model: new Model(LOOSE, [merchant.admin.personId]), check, findings, ownerUrl, clock, random: seededRandom(seed), told: new Map() };
  await readOn(world);
  await clearly(world);
  while (world.orders.length < ORDERS) await addOrder(world);
  return world;
}

/** Commands without end: after every few random ones an aimed one, each of these once before any comes again. */
function* draws(world: World): Generator<readonly [string, Command]> {
  for (;;) {
    for (const aimed of shuffled(Object.entries(AIMED), world.random)) {
      for (let n = 0; n < RANDOM_BETWEEN; n++) yield atRandom(world);
      yield aimed;
    }
  }
}

function atRandom({ random }: World): readonly [string, Command] {
  const all = Object.entries(COMMANDS);
  let at = random() * all.reduce((sum, [, { weight }]) => sum + weight, 0);
  const [name, { run }] = all.find(([, { weight }]) => (at -= weight) < 0) ?? all[0]!;
  return [name, run];
}

function shuffled<T>(of: readonly T[], random: () => number): T[] {
  const left = [...of];
  return of.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

/** Commands in a run in which each aimed one comes once. */
export const BOUNDED_STEPS = Object.keys(AIMED).length * (RANDOM_BETWEEN + 1);
