import { beforeAll, expect, test } from "vitest";
import { setClock, testDatabase, type TestDatabase } from "../testing/database";
import { makeMerchant, makeOrder, stage, type TestMerchant } from "../testing/factories";
import { propose, reject, view } from "../testing/people";
import { listChanges } from "./queue";
import { isNearly } from "./reproposed";

// What a person rejected, proposed again.

let database: TestDatabase;
let merchant: TestMerchant;
beforeAll(async () => {
  database = await testDatabase();
  merchant = await makeMerchant();
});

const flag = async (id: string) => (await view(merchant.maya, id)).reproposed;

test("the same after a rejection is flagged with who, when and why; so is one minor unit more, another note, another reason, another proposer", async () => {
  const order = await makeOrder(merchant.id);
  const first = await stage(merchant, order, { amountMinor: 5000n, note: "Broken" });
  await reject(merchant.tom, first.id, "The photo shows another mug");
  const told = { changeId: first.id, amountMinor: "5000", name: "Tom Adeyemi", reason: "The photo shows another mug" };
  const again = [
    await stage(merchant, order, { amountMinor: 5000n, note: "Broken" }), await stage(merchant, order, { amountMinor: 5001n, note: "Broken" }), await stage(merchant, order, { amountMinor: 5000n, note: " Broken " }),
    await stage(merchant, order, { amountMinor: 5000n, reason: "goodwill" }), await propose(merchant.tom, order, { amount: "50.00" }),
  ];
  for (const { id } of again) expect(await flag(id)).toMatchObject(told);
  const { items } = await listChanges(await merchant.maya.ctx(), { view: "waiting" });
  expect(items.filter(({ rejectedBefore }) => rejectedBefore === "Tom Adeyemi").map(({ id }) => id).toSorted()).toEqual(again.map(({ id }) => id).toSorted());
});

test("not what is well apart, of another order, withdrawn and not rejected, or rejected after it was proposed", async () => {
  const order = await makeOrder(merchant.id);
  const [rejected, waiting] = [await stage(merchant, order, { amountMinor: 5000n }), await stage(merchant, order, { amountMinor: 5000n })];
  await reject(merchant.tom, rejected.id);
  expect(await flag(waiting.id)).toBeNull();
  expect(await flag(rejected.id)).toBeNull();
  expect(await flag((await stage(merchant, order, { amountMinor: 4899n })).id)).toBeNull();
  expect(await flag((await stage(merchant, await makeOrder(merchant.id), { amountMinor: 5000n })).id)).toBeNull();
});

test("along what it replaced: a flag does not wear off by small steps", async () => {
  const order = await makeOrder(merchant.id);
  const rejected = await stage(merchant, order, { amountMinor: 5000n });
  await reject(merchant.tom, rejected.id);
  const near = await stage(merchant, order, { amountMinor: 5050n });
  const far = await stage(merchant, order, { amountMinor: 3000n, supersedes: near.id });
  expect(await flag(far.id)).toMatchObject({ changeId: rejected.id });
});

test("for 90 days", async () => {
  const order = await makeOrder(merchant.id);
  const old = await stage(merchant, order, { amountMinor: 5000n });
  await reject(merchant.tom, old.id);
  const { at } = (await flag((await stage(merchant, order, { amountMinor: 5000n })).id))!;
  const day = 24 * 60 * 60 * 1000;
  try {
    await setClock(database.ownerUrl, new Date(Date.parse(at) + 90 * day - 1000).toISOString());
    const within = await stage(merchant, order, { amountMinor: 5000n });
    expect(await flag(within.id)).not.toBeNull();
    await setClock(database.ownerUrl, new Date(Date.parse(at) + 90 * day).toISOString());
    const after = await stage(merchant, order, { amountMinor: 5000n });
    expect(await flag(after.id)).toBeNull();
  } finally {
    await setClock(database.ownerUrl, null);
  }
});

test("nearly the same: one percent or one unit of the currency, whichever is more, or the same units of the same lines", () => {
  const of = (amountMinor: bigint, ...lines: [string, number][]) => ({
    amountMinor, items: lines.map(([target, quantity]) => ({ target, field: "refunded", before: "0", after: "1", quantity, restock: "none" }) as const),
  });
  expect([isNearly(of(101n), of(1n), "GBP"), isNearly(of(102n), of(1n), "GBP")]).toEqual([true, false]);
  expect([isNearly(of(50_500n), of(50_000n), "GBP"), isNearly(of(50_501n), of(50_000n), "GBP")]).toEqual([true, false]);
  expect([isNearly(of(101n), of(100n), "JPY"), isNearly(of(102n), of(100n), "JPY")]).toEqual([true, false]);
  expect([isNearly(of(2255n), of(1255n), "KWD"), isNearly(of(2256n), of(1255n), "KWD")]).toEqual([true, false]);
  expect(isNearly(of(900n, ["lin-b", 1], ["lin-a", 2]), of(100n, ["lin-a", 2], ["lin-b", 1]), "GBP")).toBe(true);
  expect(isNearly(of(900n, ["lin-a", 1]), of(100n, ["lin-a", 2]), "GBP")).toBe(false);
  expect(isNearly(of(900n), of(100n), "GBP")).toBe(false);
});
