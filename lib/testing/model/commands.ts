import { pauseMerchant, resumeMerchant } from "../../guardrails/pause";
import { stage } from "../factories";
import { approve, giveUp, reject, retract, retry, withdraw, work } from "./send";
import { addOrder, anyone, capture, clockTo, expectAnswer, HOUR, pick, publish, setDisputed, setRole, UNIT, type Command, type World } from "./world";

const OPEN: readonly string[] = ["staged", "approved", "failed"];

/** Mostly one that may still move. */
function anyChange(world: World): string | null {
  const all = [...world.model.changes.values()];
  const open = all.filter(({ state }) => OPEN.includes(state));
  const from = open.length > 0 && world.random() < 0.85 ? open : all;
  return from.length === 0 ? null : pick(world, from.slice(-12)).id;
}

type ByPerson = (world: World, person: ReturnType<typeof anyone>[number], id: string) => Promise<void>;

/** Anybody does this to any change. */
const anybody = (verb: ByPerson): Command => async (world) => {
  const id = anyChange(world);
  if (id) await verb(world, pick(world, anyone(world)), id);
};

const anyOrder = (world: World) => pick(world, world.orders.slice(-5));

/** Commands drawn at random: what each is, and how many of a hundred. */
export const COMMANDS: Record<string, { weight: number; run: Command }> = {
  stage: { weight: 24, run: async (world) => {
    const { model, merchant, random } = world;
    const order = anyOrder(world);
    const units = random() < 0.3 ? 1 + Math.floor(random() * 4) : 0;
    const amount = units > 0 ? BigInt(units) * UNIT : 1n + BigInt(Math.floor(random() * (random() < 0.2 ? 7000 : 2500)));
    const ask = units > 0 ? { lines: [{ lineId: order.lineIds[0]!, quantity: units, restock: "none" as const }] } : { amountMinor: amount };
    await expectAnswer(world, model.staging(order.paymentId, amount, units), () => stage(merchant, order, ask));
  } },
  approve: { weight: 24, run: anybody(approve) },
  reject: { weight: 4, run: anybody(reject) },
  retract: { weight: 6, run: anybody(retract) },
  retry: { weight: 3, run: anybody(retry) },
  giveUp: { weight: 2, run: anybody(giveUp) },
  withdraw: { weight: 4, run: async (world) => { const id = anyChange(world); if (id) await withdraw(world, id); } },
  pause: { weight: 2, run: (world) => expectAnswer(world, world.model.paused ? "already_paused" : "done", async () => pauseMerchant(await world.merchant.admin.ctx(), { reason: "Too many at once." })) },
  resume: { weight: 6, run: (world) => expectAnswer(world, world.model.paused ? "done" : "not_paused", async () => resumeMerchant(await world.merchant.admin.ctx())) },
  publish: { weight: 4, run: (world) => publish(world, { ...world.model.rules, max: pick(world, [3000n, 6000n]), oneUpTo: pick(world, [2000n, 5000n]) }) },
  role: { weight: 3, run: (world) => setRole(world, pick(world, [world.merchant.maya, world.merchant.tom]), pick(world, ["operator", "operator", "auditor"])) },
  dispute: { weight: 3, run: (world) => setDisputed(world, anyOrder(world), pick(world, [0n, 0n, 2000n, 9000n])) },
  capture: { weight: 2, run: (world) => capture(world, anyOrder(world)) },
  order: { weight: 1, run: async (world) => { await addOrder(world); } },
  clock: { weight: 6, run: (world) => clockTo(world, world.clock + pick(world, [3000, 3000, 9000, 9000, 60_000, 13 * HOUR, -HOUR, -HOUR])) },
  work: { weight: 6, run: work },
};
