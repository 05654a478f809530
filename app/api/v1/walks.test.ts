import { beforeAll, expect, test } from "vitest";
import { readAudit } from "@/lib/changes/audit-view";
import { listHistory } from "@/lib/changes/history";
import { listOrders } from "@/lib/changes/order-view";
import { listChanges } from "@/lib/changes/queue";
import { withdrawOwn } from "@/lib/changes/withdraw";
import { openSession } from "@/lib/sessions/open";
import { testDatabase } from "@/lib/testing/database";
import { makeMerchant, makeOrder, stage, type TestMerchant } from "@/lib/testing/factories";
import { apiClient } from "./test-client";

// Every list is walked from its first page to its last by the cursors it gives: each row once, in order, while others write.

const ROWS = 53; // a page of the console has 50

let shop: TestMerchant;
const orders: string[] = [];
const changes: string[] = [];

beforeAll(async () => {
  await testDatabase();
  shop = await makeMerchant();
  for (let n = 0; n < ROWS; n++) {
    const order = await makeOrder(shop.id, { paidAt: new Date(Date.UTC(2026, 10, 1, 0, Math.floor(n / 2))) }); // two in each minute: the id decides
    orders.push(order.id);
    changes.push((await stage(shop, order, { amountMinor: 100n })).id);
  }
});

type Page = { items: readonly { id: string }[]; nextCursor: string | null };

async function walk(read: (cursor: string | undefined) => Promise<Page>, between: () => Promise<unknown> = async () => undefined): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const page = await read(cursor);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
    await between();
  }
  return { ids, pages };
}

const api = (path: string) => async (cursor: string | undefined): Promise<Page> => {
  const { status, json } = await apiClient(shop.agent.secret)("GET", `${path}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`);
  expect([path, status]).toEqual([path, 200]);
  return json as unknown as Page;
};

test("the API's orders and changes", async () => {
  const seen = await walk(api("/orders?limit=7"), () => makeOrder(shop.id, { paidAt: new Date(Date.UTC(2026, 11, 24)) }));
  expect(seen.pages).toBe(8);
  expect(new Set(seen.ids)).toEqual(new Set(orders));
  expect(seen.ids).toHaveLength(ROWS);
  const staged = await walk(api("/changes?limit=10"), async () => stage(shop, await makeOrder(shop.id), { amountMinor: 100n }));
  expect(staged.ids).toEqual(changes.toReversed());
});

test("the console's orders, queue, history and log", async () => {
  const maya = await shop.maya.ctx();
  const listed = await walk((cursor) => listOrders(maya, { cursor }));
  expect(listed.pages).toBe(2);
  expect(new Set(listed.ids).size).toBe(listed.ids.length);
  expect(listed.ids).toEqual(expect.arrayContaining(orders));
  const queue = await walk((cursor) => listChanges(maya, { view: "waiting", cursor }));
  expect(new Set(queue.ids).size).toBe(queue.ids.length);
  expect(queue.ids.filter((id) => changes.includes(id))).toEqual(changes.toReversed());

  const agent = await shop.agent.ctx();
  const { id: session } = await openSession(agent);
  for (const id of changes) await withdrawOwn(agent, session, id);
  const history = await walk((cursor) => listHistory(maya, {}, cursor));
  expect([history.ids, history.pages]).toEqual([changes.toReversed(), 2]);

  const seqs: number[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page: { entries: { seq: number }[]; nextBefore: number | null } = await readAudit(maya, { before });
    seqs.push(...page.entries.map(({ seq }) => seq));
    before = page.nextBefore;
  }
  expect(seqs).toEqual(Array.from({ length: seqs[0]! + 1 }, (_, n) => seqs[0]! - n));
});
