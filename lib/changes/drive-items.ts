import { randomUUID } from "node:crypto";
import type { Ctx, EntryActor, SystemActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { tenant } from "../database/client";
import { databaseNow, inTransaction } from "../database/transactions";
import { commit, NothingToDo, type Committed, type Ledger } from "../ledger/commit";
import { enqueue } from "../outbox/enqueue";
import { markDone, markRefused, markSending, readProgress } from "../platforms/items";
import { holdLease, LEASE_MS, releaseLease } from "../platforms/lease";
import { Unclear, type ItemWrite, type Platform } from "../platforms/platform";
import { platformOf } from "../platforms/registry";
import { actorAt } from "./actor-at";
import { advance } from "./advance";
import { attemptOf, finishApply, pendingWrites } from "./begin-apply";
import { loadChange, type LoadedChange } from "./load";

type Sent = "done" | "unclear" | { refused: string };

/**
 * Sends the items of an applying change that are not done, one after the other, and finishes or fails it. Whatever may have been
 * sent before is looked up first. Where no answer says what happened the change stays applying, and this runs again later.
 */
export async function driveItems(merchantId: string, changeId: string): Promise<void> {
  const change = await loadChange(tenant(merchantId), merchantId, changeId);
  if (change.state !== "applying") return;
  const lease = { merchantId, changeId, holder: randomUUID() };
  if (!(await holdLease(lease))) return await comeAgain(change, LEASE_MS);
  try {
    const platform = await platformOf(tenant(merchantId), merchantId);
    for (const write of await pendingWrites(tenant(merchantId), change)) {
      if (!(await holdLease(lease))) return await comeAgain(change, LEASE_MS);
      const sent = await sendItem(platform, write);
      if (sent === "unclear") return await comeAgain(change);
      if (sent !== "done") return await settle(change, (ledger, current, as) => fail(ledger, current, sent.refused, as));
    }
    await settle(change, finish);
  } finally {
    await releaseLease(lease);
  }
}

/** One item: looked up if it may have happened, sent under its key otherwise. */
async function sendItem(platform: Platform, write: ItemWrite): Promise<Sent> {
  const db = tenant(write.merchantId);
  try {
    const sentBefore = (await readProgress(db, write.merchantId, write.changeId)).some(({ item }) => item === write.item);
    const found = sentBefore ? await platform.lookUp(db, write) : null;
    if (found) return await done(write, found.reference);
    await inTransaction(write.merchantId, async (tx) => markSending(tx, write, await databaseNow(tx)));
    const answer = await platform.write(db, write);
    if (answer.outcome === "done") return await done(write, answer.reference);
    await inTransaction(write.merchantId, (tx) => markRefused(tx, write));
    return { refused: answer.cause };
  } catch (error) {
    if (error instanceof Unclear) return "unclear";
    throw error;
  }
}

async function done(write: ItemWrite, reference: string): Promise<"done"> {
  await inTransaction(write.merchantId, async (db) => markDone(db, write, reference, await databaseNow(db)));
  return "done";
}

type Ending = (ledger: Ledger, change: LoadedChange, as: EntryActor) => Promise<Committed<void>>;

const finish: Ending = async (ledger, change, as) => {
  const { entry } = await finishApply(ledger, change, as);
  return { result: undefined, entries: [entry], effects: [] };
};

async function fail(ledger: Ledger, change: LoadedChange, refused: string, as: EntryActor): Promise<Committed<void>> {
  const done = (await readProgress(ledger.db, change.merchantId, change.id)).filter(({ state }) => state === "done").length;
  const { entry } = await advance(ledger, change, "failApply", { attempt: attemptOf(change), cause: "platform_refused", rule: refused, done }, { as });
  return { result: undefined, entries: [entry], effects: [] };
}

/** Ends the attempt under the lock, as the actor of its `change.applying`; nothing where another driver ended it. */
async function settle({ merchantId, id, revision }: LoadedChange, end: Ending): Promise<void> {
  const ctx: Ctx<SystemActor> = { merchantId, actor: { kind: "system", id: "worker" }, now: await databaseNow(), requestId: `apply ${id}` };
  await commit(authorise(ctx, "change:apply"), { verb: "apply", subject: id }, async (ledger) => {
    const change = await loadChange(ledger.db, merchantId, id);
    if (change.state !== "applying" || change.revision !== revision) throw new NothingToDo();
    return end(ledger, change, await actorAt(ledger.db, change));
  }).catch((error: unknown) => {
    if (!(error instanceof NothingToDo)) throw error;
  });
}

const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * Later and later, up to five minutes: until the platform answers, nothing is concluded. Where another driver holds the lease, after it:
 * one that died has left nobody else who would.
 */
async function comeAgain({ merchantId, id }: LoadedChange, afterMs?: number): Promise<void> {
  await inTransaction(merchantId, async (db) => {
    const tries = Math.max(0, ...(await readProgress(db, merchantId, id)).map((each) => each.tries));
    if (await db.outbox.findFirst({ where: { merchantId, type: "change.apply", subject: id, attempts: 0 } })) return; // it comes already
    const pause = afterMs ?? Math.min(500 * 2 ** Math.min(tries, 12), LONGEST_PAUSE_MS);
    await enqueue(db, merchantId, [{ type: "change.apply", subject: id, dueAt: new Date((await databaseNow(db)).getTime() + pause) }]);
  });
}
