import { createAgent, createKey } from "../../identity/agents";
import type { AgentActor, Scope } from "../../kernel/context";
import { stage } from "../factories";
import { approve, forged, giveUp, lookAt, reject, retract, retry, takeEffect, withdraw, work } from "./send";
import { addOrder, capture, clearly, clockTo, expectAnswer, HOUR, LOOSE, publish, setDisputed, setRole, staged, STRICT, type Command, type World } from "./world";

// Commands that aim at one rule each, from wherever the random ones have led: chance alone comes to its edge too seldom.

/** Approved by one under LOOSE; takes effect when the clock says so. */
async function approved(world: World, amount = 2500n): Promise<string> {
  const id = await staged(world, await clearly(world), amount);
  await approve(world, world.merchant.maya, id);
  return id;
}

/** When an approved change takes effect. */
function effectOf({ model }: World, id: string): number {
  const { state, effectiveAt } = model.change(id);
  if (effectiveAt === null) throw new Error(`${id} is ${state} and takes no effect`);
  return effectiveAt;
}

/** Approved, and then refused at apply by a cap of today. */
async function failed(world: World): Promise<string> {
  const id = await approved(world, 3500n);
  await publish(world, { ...LOOSE, max: 3000n });
  await clockTo(world, effectOf(world, id));
  await work(world);
  if (world.model.change(id).state !== "failed") throw new Error(`${id} has not failed`);
  return id;
}

export const AIMED: Record<string, Command> = {
  /** Today's quorum is asked for where it is higher than at staging: by a policy, by what was refunded beside; the old one where today's is lower; and today's caps. */
  raised: async (world) => {
    const { maya, tom } = world.merchant;
    const order = await clearly(world);
    const id = await staged(world, order, 2500n);
    await publish(world, STRICT);
    await approve(world, maya, id);
    await capture(world, order);
    for (const person of [maya, tom]) await approve(world, person, id);
    const [first, later] = [await staged(world, await clearly(world), 3000n), await staged(world, world.orders.at(-1)!, 2500n)];
    for (const each of [later, first]) for (const person of [maya, tom]) await approve(world, person, each);
    const strict = await staged(world, await clearly(world, STRICT), 2500n);
    await publish(world, LOOSE);
    for (const person of [maya, tom]) await approve(world, person, strict);
    const over = await staged(world, await clearly(world), 3500n);
    await publish(world, { ...LOOSE, max: 3000n });
    await approve(world, maya, over);
  },
  /** Who was made an auditor counts no more, and counts again when they may decide again; meanwhile they decide nothing, and too few are left for two signatures. */
  left: async (world) => {
    const { maya, tom } = world.merchant;
    const id = await staged(world, await clearly(world), 2500n);
    await publish(world, STRICT);
    await approve(world, maya, id);
    await setRole(world, maya, "auditor");
    for (const verb of [approve, reject, retract, retry, giveUp]) await verb(world, maya, id);
    await approve(world, tom, id);
    const order = await addOrder(world);
    await expectAnswer(world, world.model.staging(order.paymentId, 2500n, 0), () => stage(world.merchant, order, { amountMinor: 2500n }));
    await setRole(world, maya, "operator");
    await approve(world, maya, id);
    await reject(world, tom, id);
  },
  /** An approval is taken back until it takes effect, by its own person, on the clock as it is, which may have been set back. */
  takenBack: async (world) => {
    const { maya, tom } = world.merchant;
    const id = await approved(world, 5000n);
    await setDisputed(world, world.orders.at(-1)!, 1000n); // less is left than it holds
    await retract(world, tom, id);
    await retract(world, maya, id, forged(await lookAt(world, maya, id)));
    await clockTo(world, effectOf(world, id) - 1);
    await takeEffect(world, id);
    await retract(world, maya, id);
    await clockTo(world, world.clock - HOUR);
    await approve(world, maya, id);
    await retract(world, maya, id);
    await approve(world, maya, id);
    await clockTo(world, effectOf(world, id));
    await retract(world, maya, id);
    await work(world);
    if (world.model.change(id).state !== "applied") throw new Error(`${id} was not applied`);
    await retract(world, maya, id);
    for (const verb of [reject, approve]) await verb(world, tom, id);
  },
  /** What a form shows must still be so: the figures, and the content. */
  stale: async (world) => {
    const { admin, maya, tom } = world.merchant;
    const order = await clearly(world);
    const [id, other] = [await staged(world, order, 1000n), await staged(world, order, 500n)];
    await approve(world, admin, id);
    for (const verb of [approve, reject]) await verb(world, tom, id, forged(await lookAt(world, tom, id)));
    for (const move of [() => approve(world, maya, other), () => setDisputed(world, order, 100n), () => capture(world, order), () => publish(world, LOOSE)]) {
      const looked = await lookAt(world, tom, id);
      await move();
      await approve(world, tom, id, looked);
    }
    const looked = await lookAt(world, tom, id);
    await setDisputed(world, order, 10_600n);
    await approve(world, tom, id, looked);
    await approve(world, tom, id);
  },
  /** At its expiry nothing is decided on it and nothing applied, whether or not a job has run; nor after a clock was set back. */
  expired: async (world) => {
    const { maya, tom } = world.merchant;
    const [id, taken] = [await staged(world, await clearly(world), 1000n), await staged(world, world.orders.at(-1)!, 1000n)];
    const looked = await lookAt(world, tom, id);
    await clockTo(world, world.model.change(taken).expiresAt - 1);
    await approve(world, maya, taken);
    await takeEffect(world, id);
    await clockTo(world, world.clock + world.model.rules.undoMs);
    for (const verb of [approve, reject]) await verb(world, tom, id, looked);
    await takeEffect(world, taken);
    await work(world);
    await clockTo(world, world.clock - HOUR);
    await approve(world, tom, id);
  },
  /** Trying again asks who, what, until when, today's rules and today's quorum; so does giving up. */
  again: async (world) => {
    const { admin, maya, tom } = world.merchant;
    const id = await failed(world);
    await retry(world, tom, id);
    await publish(world, LOOSE);
    await retry(world, admin, id);
    await retry(world, tom, id, forged(await lookAt(world, tom, id)));
    await setRole(world, maya, "auditor");
    await retry(world, tom, id);
    await setRole(world, maya, "operator");
    await publish(world, STRICT);
    await retry(world, tom, id);
    await publish(world, LOOSE);
    await withdraw(world, id);
    await retry(world, tom, id);
    await retry(world, tom, id);
    await giveUp(world, tom, id);
  },
  /** The same when its time is up, and of what is not failed. */
  givenUp: async (world) => {
    const { maya, tom } = world.merchant;
    const id = await failed(world);
    await publish(world, LOOSE);
    await clockTo(world, world.model.change(id).expiresAt);
    await retry(world, tom, id);
    await giveUp(world, tom, id, forged(await lookAt(world, tom, id)));
    await giveUp(world, tom, id);
    const open = await staged(world, await clearly(world), 500n);
    for (const verb of [giveUp, retry, retract]) await verb(world, maya, open);
    await reject(world, tom, open);
    await retract(world, tom, open);
    await withdraw(world, open);
  },
  /** Another agent's change is not there; one's own is taken back while staged or approved. */
  foreign: async (world) => {
    const { setup, admin } = world.merchant;
    const id = await approved(world);
    const { id: agentId } = await createAgent(setup, { name: `desk-${world.orders.length}` });
    const scopes: Scope[] = ["read", "stage:refund"];
    const key = await createKey(setup, { agentId, ownerId: admin.personId, scopes, expiresAt: new Date("2099-01-01T00:00:00.000Z") });
    const actor: AgentActor = { kind: "agent", id: agentId, keyId: key.id, for: admin.personId, scopes };
    await withdraw(world, id, "not_found", { ctx: async () => ({ ...(await world.merchant.agent.ctx()), actor }) });
    await withdraw(world, id);
    await withdraw(world, id);
  },
};
