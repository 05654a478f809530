import { applyChange } from "../../changes/apply";
import { approveChange } from "../../changes/approve";
import { expireChange } from "../../changes/expire";
import { rejectChange } from "../../changes/reject";
import { retractApproval } from "../../changes/retract";
import { retryChange } from "../../changes/retry";
import { withdrawFailed, withdrawOwn } from "../../changes/withdraw";
import { runDueJobs } from "../../jobs/run";
import { openSession } from "../../sessions/open";
import { look, type SeenForm, type TestPerson } from "../factories";
import type { Seen } from "./model";
import { readOn } from "./read";
import { expectAnswer, type World } from "./world";

// One step each: what the model expects of it, then the real verb.

/** What a person's form carries, and what the model says it was made of. */
export type Looked = { form: SeenForm; seen: Seen };

export const lookAt = async ({ model }: World, person: TestPerson, id: string): Promise<Looked> => ({ form: await look(person, id), seen: { figures: model.figures(id) } });

const OTHER = "0".repeat(64);
/** The same form about another content. */
export const forged = ({ form, seen }: Looked): Looked => ({ form: { ...form, seenDigest: OTHER }, seen: { ...seen, forged: true } });

type Verb = (world: World, person: TestPerson, id: string, looked?: Looked) => Promise<void>;

export const approve: Verb = async (world, person, id, looked) => {
  const { form, seen } = looked ?? (await lookAt(world, person, id));
  await expectAnswer(world, world.model.approval(id, person.personId, world.clock, seen), async () => {
    const { effectiveAt } = await approveChange(await person.ctx(), form);
    if (effectiveAt && !world.model.change(id).signed.has(person.personId) && effectiveAt.getTime() !== world.clock + world.model.rules.undoMs) throw new Error(`it takes effect at ${effectiveAt.toISOString()}`);
  });
};

export const reject: Verb = async (world, person, id, looked) => {
  const { form, seen } = looked ?? (await lookAt(world, person, id));
  await expectAnswer(world, world.model.rejection(id, person.personId, world.clock, seen), async () => rejectChange(await person.ctx(), { ...form, code: "other", reason: "no proof" }));
};

export const retract: Verb = async (world, person, id, looked) => {
  const { form, seen } = looked ?? (await lookAt(world, person, id));
  await expectAnswer(world, world.model.retraction(id, person.personId, world.clock, seen), async () => retractApproval(await person.ctx(), form));
};

export const retry: Verb = async (world, person, id, looked) => {
  const { form, seen } = looked ?? (await lookAt(world, person, id));
  await expectAnswer(world, world.model.retry(id, person.personId, world.clock, seen), async () => retryChange(await person.ctx(), form));
};

/** A person gives up on what failed. */
export const giveUp: Verb = async (world, person, id, looked) => {
  const { form, seen } = looked ?? (await lookAt(world, person, id));
  await expectAnswer(world, world.model.givingUp(id, person.personId, seen), async () => withdrawFailed(await person.ctx(), form));
};

export async function withdraw(world: World, id: string, expected = world.model.withdrawal(id), agent: Pick<World["merchant"]["agent"], "ctx"> = world.merchant.agent): Promise<void> {
  const ctx = await agent.ctx();
  const session = await openSession(ctx);
  await expectAnswer(world, expected, () => withdrawOwn(ctx, session.id, id));
}

/** Whoever asks for it early, or too late: only what is due is begun, and only what is over ends. */
export async function takeEffect(world: World, id: string): Promise<void> {
  const { merchant, model } = world;
  const { state, effectiveAt } = model.change(id);
  await applyChange(merchant.id, id);
  await expireChange(merchant.id, id);
  await readOn(world);
  if (state === "approved" && effectiveAt! > world.clock && model.change(id).state !== "approved") throw new Error(`${id} took effect early`);
}

/** What is due is done, and nothing that was due is left. */
export async function work(world: World): Promise<void> {
  const { model } = world;
  const { failures } = await runDueJobs();
  if (failures.length > 0) throw failures[0]!.error;
  await readOn(world);
  const isOver = (expiresAt: number) => expiresAt <= Math.max(world.clock, model.now);
  const late = [...model.changes.values()].find(({ state, effectiveAt, expiresAt }) => state === "approved" && effectiveAt !== null && effectiveAt <= world.clock && !isOver(expiresAt));
  if (late) throw new Error(`the worker left ${late.id}`);
}
