import type { EntryActor } from "../kernel/context";
import type { Reader } from "../database/transactions";
import type { Committed, Ledger } from "../ledger/commit";
import { markDone, markSending, readProgress } from "../platforms/items";
import type { ItemWrite, Platform } from "../platforms/platform";
import { advance, type Advanced } from "./advance";
import { amountOf, isLineItem } from "./content";
import type { LoadedChange } from "./load";

export type Applied = { at: Date; leafHash: string };
const RECOVER_AFTER_MS = 15_000;

/** The attempt's id in the entries: the change and the revision of its `change.applying`. */
export const attemptOf = ({ id, revision }: Pick<LoadedChange, "id" | "revision">): string => `${id}/${revision}`;

/** `change.applying`; on a platform whose writes are ours to commit, all items and `change.applied` with it, or nothing. */
export async function beginApply(ledger: Ledger, change: LoadedChange, platform: Platform, policy: number, as: EntryActor): Promise<Committed<Applied>> {
  const attempt = attemptOf({ id: change.id, revision: change.revision + 1 });
  const begun = await advance(ledger, change, "beginApply", { attempt, policy }, { as });
  if (!platform.capabilities.transactional) {
    const dueAt = new Date(ledger.clock.getTime() + RECOVER_AFTER_MS);
    return { result: begun.entry, entries: [begun.entry], effects: [{ type: "change.apply", subject: change.id, dueAt }] };
  }
  for (const write of await pendingWrites(ledger.db, begun.change)) {
    await markSending(ledger.db, write, ledger.now);
    const answer = await platform.write(ledger.db, write);
    if (answer.outcome === "refused") throw new Error(`the ${platform.name} refused an item that was judged: ${answer.cause}`);
    await markDone(ledger.db, write, answer.reference, ledger.now);
  }
  const finished = await finishApply(ledger, begun.change, as);
  return { result: finished.entry, entries: [begun.entry, finished.entry], effects: [] };
}

/** `change.applied`, once every item is done. The database refuses it before. */
export async function finishApply(ledger: Ledger, change: LoadedChange, as: EntryActor): Promise<Advanced<LoadedChange>> {
  const references = (await readProgress(ledger.db, change.merchantId, change.id)).map(({ reference }) => reference!);
  return advance(ledger, change, "finishApply", { attempt: attemptOf(change), references }, { as });
}

/** The items of an applying change that are not done, as a platform is asked to write them. */
export async function pendingWrites(db: Reader, change: LoadedChange): Promise<ItemWrite[]> {
  const { merchantId, orderId, paymentId, currency } = change;
  const progress = await readProgress(db, merchantId, change.id);
  const { number } = await db.order.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: orderId } }, select: { number: true } });
  const writes = change.content.items.map((item, index): ItemWrite => ({
    merchantId, changeId: change.id, item: index, revision: change.revision, target: item.target, field: item.field,
    quantity: isLineItem(item) ? item.quantity : null, restock: isLineItem(item) ? item.restock : null,
    orderId, orderNumber: number, paymentId, currency, amountMinor: amountOf(item),
  }));
  return writes.filter(({ item }) => !progress.some((each) => each.item === item && each.state === "done"));
}
