import type { LogCheck } from "../../audit/log-check";
import { resumeMerchant } from "../../guardrails/pause";
import { publishPolicy } from "../../guardrails/publish";
import { DEFAULT_RULES, type PolicyRules } from "../../guardrails/schema";
import { changeRole } from "../../identity/members";
import { Refusal } from "../../kernel/refusal";
import { setClock } from "../database";
import { makeOrder, stage, type TestMerchant, type TestOrder, type TestPerson } from "../factories";
import { everyMerchant } from "../owner";
import type { Model, Rules } from "./model";
import { readOn } from "./read";

export const HOUR = 3_600_000;
export const UNIT = 1000n;
export const UNITS = 10;
/** One signature is enough for a little more under these than under STRICT. */
export const LOOSE: Rules = { max: 6000n, oneUpTo: 5000n, undoMs: 8000, expiresMs: 48 * HOUR };
export const STRICT: Rules = { ...LOOSE, oneUpTo: 2000n };

export type World = {
  merchant: TestMerchant; orders: TestOrder[]; model: Model; check: LogCheck; findings: string[]; ownerUrl: string; clock: number; random: () => number;
  told: Map<string, number>;
};
export type Command = (world: World) => Promise<void>;

export const pick = <T>(world: World, of: readonly T[]): T => of[Math.floor(world.random() * of.length)]!;
export const anyone = ({ merchant }: World): TestPerson[] => [merchant.admin, merchant.maya, merchant.tom];

/** Sends a command and holds its answer against what the model expects; "again" is the same form a second time, which writes nothing. */
export async function expectAnswer(world: World, expected: string, send: () => Promise<unknown>): Promise<void> {
  const answer = await send().then(() => "done", (error: unknown) => { if (error instanceof Refusal) return error.code as string; throw error; });
  world.told.set(answer, (world.told.get(answer) ?? 0) + 1);
  const fits = expected === "again" ? answer === "done" || answer === "already_endorsed" || answer.startsWith("change_already_") || answer === "not_approved" : answer === expected;
  if (!fits) throw new Error(`answered ${answer}, and the model expects ${expected}`);
  await readOn(world);
}

export async function clockTo(world: World, at: number): Promise<void> {
  world.clock = at;
  await setClock(world.ownerUrl, new Date(at).toISOString());
}

const policyOf = ({ max, oneUpTo, undoMs, expiresMs }: Rules): PolicyRules => ({
  ...DEFAULT_RULES, max_refund_amount: { GBP: String(max) }, refund_approvals: [{ approvals: 1, up_to: { GBP: String(oneUpTo) } }, { approvals: 2 }],
  undo_seconds: undoMs / 1000, expires_after_hours: expiresMs / HOUR, refund_window_days: 3650,
});

export async function publish(world: World, rules: Rules): Promise<void> {
  world.model.rules = rules;
  await publishPolicy(await world.merchant.admin.ctx(), policyOf(rules));
  await readOn(world);
}

export async function setRole(world: World, { personId }: TestPerson, role: "operator" | "auditor"): Promise<void> {
  const { merchant } = world;
  const { id: memberId } = await everyMerchant().member.findFirstOrThrow({ where: { merchantId: merchant.id, personId } });
  await changeRole(await merchant.admin.ctx(), { memberId, role });
  await readOn(world);
}

export async function setDisputed(world: World, { paymentId }: TestOrder, disputed: bigint): Promise<void> {
  world.model.payments.get(paymentId)!.disputed = disputed;
  await everyMerchant().payment.updateMany({ where: { id: paymentId }, data: { disputedMinor: disputed } });
}

export async function capture(world: World, { paymentId }: TestOrder): Promise<void> {
  const payment = world.model.payments.get(paymentId)!;
  payment.captured += UNIT;
  await everyMerchant().payment.updateMany({ where: { id: paymentId }, data: { capturedMinor: payment.captured } });
}

/** An order of one line, paid now. */
export async function addOrder(world: World): Promise<TestOrder> {
  const captured = UNIT * BigInt(UNITS);
  const order = await makeOrder(world.merchant.id, { lines: [{ quantity: UNITS, paidMinor: captured }], paidAt: new Date(world.clock) });
  world.orders.push(order);
  world.model.payments.set(order.paymentId, { captured, disputed: 0n, refunded: 0n, held: 0n, units: UNITS, taken: 0 });
  return order;
}

/** A fresh order, with nothing paused, both operators in place and these rules. */
export async function clearly(world: World, rules: Rules = LOOSE): Promise<TestOrder> {
  const { model, merchant } = world;
  if (model.paused) await resumeMerchant(await merchant.admin.ctx());
  for (const person of [merchant.maya, merchant.tom]) if (!model.deciders.has(person.personId)) await setRole(world, person, "operator");
  await publish(world, rules);
  return addOrder(world);
}

/** Stages this much of it, until an hour from now; gives the change's id. */
export async function staged(world: World, order: TestOrder, amountMinor: bigint): Promise<string> {
  const expiresAt = new Date(Math.max(world.clock, world.model.now) + HOUR).toISOString();
  const { id } = await stage(world.merchant, order, { amountMinor, expiresAt });
  await readOn(world);
  return id;
}
