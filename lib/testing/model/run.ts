import { Refusal } from "../../kernel/refusal";
import { LogCheck } from "../../audit/log-check";
import { sha256 } from "../../audit/sha256";
import { pauseMerchant, resumeMerchant } from "../../guardrails/pause";
import { publishPolicy } from "../../guardrails/publish";
import { DEFAULT_RULES, type PolicyRules } from "../../guardrails/schema";
import { runDueJobs } from "../../jobs/run";
import { fsckMerchant } from "../../log/fsck";
import { approveChange } from "../../changes/approve";
import { rejectChange } from "../../changes/reject";
import { retractApproval } from "../../changes/retract";
import { retryChange } from "../../changes/retry";
import { withdrawFailed, withdrawOwn } from "../../changes/withdraw";
import { openSession } from "../../sessions/open";
import { setClock } from "../database";
import { look, makeMerchant, makeOrder, stage, type TestMerchant, type TestOrder, type TestPerson } from "../factories";
import { seededRandom } from "../lossy-platform/faults";
import { everyMerchant } from "../owner";
import { Model, type LogEntry, type Rules } from "./model";

const HOUR = 3_600_000;
const UNIT = 1000n;
const UNITS = 10;

type World = { merchant: TestMerchant; orders: TestOrder[]; model: Model; check: LogCheck; findings: string[]; ownerUrl: string; clock: number; random: () => number; told: Map<string, number> };
type Command = { weight: number; run: (world: World) => Promise<void> };

/** Runs so many random commands against the real verbs and the real database; throws where the model, the log or the rows disagree. */
export async function runModel({ seed, steps, ownerUrl, checkEvery }: { seed: number; steps: number; ownerUrl: string; checkEvery: number }): Promise<{ seed: number; steps: number; entries: number; told: Record<string, number> }> {
  const clock = Date.parse("2026-11-30T12:00:00.000Z");
  await setClock(ownerUrl, new Date(clock).toISOString());
  const rules: Rules = { max: 6000n, oneUpTo: 5000n, undoMs: 8000, expiresMs: 48 * HOUR };
  const merchant = await makeMerchant(policyOf(rules));
  const orders = await Promise.all(Array.from({ length: 4 }, () => makeOrder(merchant.id, { lines: [{ quantity: UNITS, paidMinor: UNIT * BigInt(UNITS) }], paidAt: new Date(clock) })));
  const findings: string[] = [];
  const check = new LogCheck(`undersigned/${merchant.id}`, sha256, (kind, place, detail) => { findings.push(`${kind} ${place}: ${detail}`); });
  const world: World = { merchant, orders, model: new Model(rules), check, findings, ownerUrl, clock, random: seededRandom(seed), told: new Map() };
  for (const { paymentId } of orders) world.model.payments.set(paymentId, { captured: UNIT * BigInt(UNITS), disputed: 0n, refunded: 0n, held: 0n, units: UNITS, taken: 0 });
  await readOn(world);
  for (let step = 1; step <= steps; step++) {
    const command = draw(world);
    try {
      await command.run(world);
      await readOn(world);
      await compare(world);
      if (step % checkEvery === 0 || step === steps) world.findings.push(...(await fsckMerchant(merchant.id)).findings.map(({ kind, place, detail }) => `fsck ${kind} ${place}: ${detail}`));
      if (world.findings.length > 0) throw new Error(world.findings.join("\n"));
    } catch (error) {
      throw new Error(`seed ${seed}, step ${step}, ${command.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  await setClock(ownerUrl, null);
  return { seed, steps, entries: world.model.next, told: Object.fromEntries(world.told) };
}

const policyOf = ({ max, oneUpTo, undoMs, expiresMs }: Rules): PolicyRules => ({
  ...DEFAULT_RULES, max_refund_amount: { GBP: String(max) }, refund_approvals: [{ approvals: 1, up_to: { GBP: String(oneUpTo) } }, { approvals: 2 }],
  undo_seconds: undoMs / 1000, expires_after_hours: expiresMs / HOUR, refund_window_days: 3650,
});

const pick = <T>(world: World, of: readonly T[]): T => of[Math.floor(world.random() * of.length)]!;
const anyone = ({ merchant }: World): TestPerson[] => [merchant.admin, merchant.maya, merchant.tom];
const OPEN: readonly string[] = ["staged", "approved", "failed"];

/** Mostly one that may still move. */
function anyChange(world: World): string | null {
  const all = [...world.model.changes.values()];
  const open = all.filter(({ state }) => OPEN.includes(state));
  const from = open.length > 0 && world.random() < 0.85 ? open : all;
  return from.length === 0 ? null : pick(world, from.slice(-12)).id;
}


/** Sends a command and holds its answer against what the model expects; "again" is the same form a second time, which writes nothing. */
async function expectAnswer(world: World, expected: string, send: () => Promise<unknown>): Promise<void> {
  const answer = await send().then(() => "done", (error: unknown) => { if (error instanceof Refusal) return error.code as string; throw error; });
  world.told.set(answer, (world.told.get(answer) ?? 0) + 1);
  const fits = expected === "again" ? answer === "done" || answer === "already_endorsed" || answer.startsWith("change_already_") || answer === "not_approved" : answer === expected;
  if (!fits) throw new Error(`answered ${answer}, and the model expects ${expected}`);
}

const COMMANDS: Record<string, Command> = {
  stage: { weight: 26, run: async (world) => {
    const { model, merchant, random } = world;
    const order = pick(world, world.orders);
    const units = random() < 0.3 ? 1 + Math.floor(random() * 4) : 0;
    const amount = units > 0 ? BigInt(units) * UNIT : 1n + BigInt(Math.floor(random() * (random() < 0.2 ? 7000 : 2500)));
    const ask = units > 0 ? { lines: [{ lineId: order.lineIds[0]!, quantity: units, restock: "none" as const }] } : { amountMinor: amount };
    await expectAnswer(world, model.staging(order.paymentId, amount, units), () => stage(merchant, order, ask));
  } },
  approve: { weight: 26, run: withChange(async (world, id) => {
    const person = pick(world, anyone(world));
    await expectAnswer(world, world.model.approval(id, person.personId, world.clock), async () => {
      const { effectiveAt } = await approveChange(await person.ctx(), await look(person, id));
      if (effectiveAt && !world.model.change(id).signed.has(person.personId) && effectiveAt.getTime() !== world.clock + world.model.rules.undoMs) throw new Error(`it takes effect at ${effectiveAt.toISOString()}`);
    });
  }) },
  reject: { weight: 5, run: withChange(async (world, id) => {
    const person = pick(world, anyone(world));
    await expectAnswer(world, world.model.rejection(id, person.personId, world.clock), async () => rejectChange(await person.ctx(), { changeId: id, seenDigest: (await look(person, id)).seenDigest, code: "other", reason: "no proof" }));
  }) },
  retract: { weight: 8, run: withChange(async (world, id) => {
    const person = pick(world, anyone(world));
    await expectAnswer(world, world.model.retraction(id, person.personId, world.clock), async () => retractApproval(await person.ctx(), { changeId: id, seenDigest: (await look(person, id)).seenDigest }));
  }) },
  retry: { weight: 4, run: withChange(async (world, id) => {
    const person = pick(world, anyone(world));
    await expectAnswer(world, world.model.retry(id, person.personId, world.clock), async () => retryChange(await person.ctx(), { changeId: id, seenDigest: (await look(person, id)).seenDigest }));
  }) },
  withdraw: { weight: 4, run: withChange(async (world, id) => {
    const { merchant, model } = world;
    if (model.change(id).state === "failed") return expectAnswer(world, "done", async () => withdrawFailed(await merchant.tom.ctx(), { changeId: id, seenDigest: (await look(merchant.tom, id)).seenDigest }));
    const ctx = await merchant.agent.ctx();
    const session = await openSession(ctx);
    await expectAnswer(world, model.withdrawal(id), () => withdrawOwn(ctx, session.id, id));
  }) },
  pause: { weight: 2, run: async ({ merchant }) => pauseMerchant(await merchant.admin.ctx(), { reason: "Too many at once." }) },
  resume: { weight: 10, run: async ({ merchant, model }) => { if (model.paused) await resumeMerchant(await merchant.admin.ctx()); } },
  publish: { weight: 6, run: async (world) => {
    world.model.rules = { ...world.model.rules, max: pick(world, [3000n, 6000n]), oneUpTo: pick(world, [2000n, 5000n]) };
    await publishPolicy(await world.merchant.admin.ctx(), policyOf(world.model.rules));
  } },
  dispute: { weight: 4, run: async (world) => {
    const { paymentId } = pick(world, world.orders);
    const disputed = pick(world, [0n, 0n, 2000n, 9000n]);
    world.model.payments.get(paymentId)!.disputed = disputed;
    await everyMerchant().payment.updateMany({ where: { id: paymentId }, data: { disputedMinor: disputed } });
  } },
  capture: { weight: 2, run: async (world) => {
    const { paymentId } = pick(world, world.orders);
    world.model.payments.get(paymentId)!.captured += 1000n;
    await everyMerchant().payment.updateMany({ where: { id: paymentId }, data: { capturedMinor: world.model.payments.get(paymentId)!.captured } });
  } },
  clock: { weight: 8, run: async (world) => {
    world.clock += pick(world, [3000, 3000, 9000, 9000, 60_000, 13 * HOUR, -HOUR, -HOUR]);
    await setClock(world.ownerUrl, new Date(world.clock).toISOString());
  } },
  work: { weight: 10, run: async (world) => {
    const { failures } = await runDueJobs();
    if (failures.length > 0) throw failures[0]!.error;
    await readOn(world);
    const late = [...world.model.changes.values()].filter(({ state, effectiveAt, expiresAt }) => state === "approved" && effectiveAt !== null && effectiveAt <= world.clock && expiresAt > Math.max(world.clock, world.model.now));
    if (late.length > 0) throw new Error(`the worker left ${late[0]!.id}`);
  } },
};

function withChange(run: (world: World, id: string) => Promise<void>): Command["run"] {
  return async (world) => {
    const id = anyChange(world);
    if (id) await run(world, id);
  };
}

function draw({ random }: World): { name: string } & Command {
  const all = Object.entries(COMMANDS);
  let at = random() * all.reduce((sum, [, { weight }]) => sum + weight, 0);
  const [name, command] = all.find(([, { weight }]) => (at -= weight) < 0) ?? all[0]!;
  return { name, ...command };
}

/** Reads what the log has gained into the chain's check and into the model. */
async function readOn({ merchant, model, check }: World): Promise<void> {
  const rows = await everyMerchant().entry.findMany({ where: { merchantId: merchant.id, seq: { gte: model.next } }, orderBy: { seq: "asc" }, select: { entry: true } });
  const changes = await everyMerchant().change.findMany({ where: { merchantId: merchant.id }, select: { id: true, paymentId: true, expiresAt: true, effectiveAt: true, content: { select: { content: true } } } });
  const staged = (id: string) => {
    const { paymentId, expiresAt, content } = changes.find((each) => each.id === id)!;
    const { items } = JSON.parse(content!.content) as { items: { quantity?: number }[] };
    return { payment: paymentId, expiresAt, units: items.reduce((sum, { quantity = 0 }) => sum + quantity, 0) };
  };
  for (const { entry } of rows) {
    check.push(entry);
    model.read(JSON.parse(entry) as LogEntry, staged);
  }
  for (const { id, effectiveAt } of changes) model.change(id).effectiveAt = effectiveAt?.getTime() ?? null;
}

/** Rows against the model: every state, every payment's sums, who signed. */
async function compare({ merchant, model }: World): Promise<void> {
  const changes = await everyMerchant().change.findMany({ where: { merchantId: merchant.id }, select: { id: true, state: true } });
  const differs = changes.find(({ id, state }) => model.change(id).state !== state);
  if (differs || changes.length !== model.changes.size) throw new Error(`rows and model differ: ${differs?.id ?? `${changes.length} changes`}`);
  for (const { id, refundedMinor, heldMinor, stagedMinor } of await everyMerchant().payment.findMany({ where: { merchantId: merchant.id } })) {
    const { refunded, held } = model.payments.get(id)!;
    const staged = [...model.changes.values()].filter((each) => each.payment === id && each.state === "staged").reduce((sum, { amount }) => sum + amount, 0n);
    if (refundedMinor !== refunded || heldMinor !== held || stagedMinor !== staged) throw new Error(`${id}: refunded ${refundedMinor} held ${heldMinor} staged ${stagedMinor}, the model has ${refunded}, ${held}, ${staged}`);
  }
  const signed = await everyMerchant().$queryRaw<{ id: string; persons: string[] }[]>`
    SELECT c.id, ARRAY(SELECT s.person_id FROM standing_approvals(c.merchant_id, c.id) s ORDER BY 1) AS persons FROM change c WHERE c.merchant_id = ${merchant.id}`;
  for (const { id, persons } of signed) if (persons.join() !== [...model.change(id).signed].toSorted().join()) throw new Error(`${id} is signed by ${persons.join()}`);
}
