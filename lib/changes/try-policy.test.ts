import { beforeAll, expect, test } from "vitest";
import type { Refusal } from "../kernel/refusal";
import { DEFAULT_RULES, type PolicyRules } from "../guardrails/schema";
import { commitRefusal } from "../ledger/agent-write";
import { fsckMerchant } from "../log/fsck";
import { testDatabase } from "../testing/database";
import { makeMerchant, makeOrder, stage, type TestMerchant, type TestOrder } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { tryPolicy, type TriedRow } from "./try-policy";

beforeAll(async () => { await testDatabase(); });

/** A proposal that is refused, with its trace as the agent API leaves it. */
async function refused(shop: TestMerchant, order: TestOrder, amountMinor: bigint): Promise<void> {
  const refusal = await stage(shop, order, { amountMinor }).then(() => { throw new Error("it was staged"); }, (error: unknown) => error as Refusal);
  await commitRefusal(await shop.agent.ctx(), { verb: "stage", subject: shop.agent.id }, refusal, null, null, { status: 422, body: "{}" });
}

async function all(shop: TestMerchant, draft: Partial<PolicyRules>): Promise<TriedRow[]> {
  const rules = { ...DEFAULT_RULES, ...draft };
  const ctx = await shop.auditor.ctx();
  const first = await tryPolicy(ctx, { rules });
  const rows = [...first.rows];
  for (let { next } = first; next; ) {
    const page = await tryPolicy(ctx, { rules, before: next });
    expect(page.total).toBeNull();
    rows.push(...page.rows);
    ({ next } = page);
  }
  expect(first.total).toBe(rows.length);
  return rows;
}

test("a draft is tried on what was staged and on what was refused, newest first, and nothing is written", async () => {
  const shop = await makeMerchant({ max_refund_amount: { GBP: "6000" } });
  const [a, b] = [await makeOrder(shop.id), await makeOrder(shop.id)];
  const small = await stage(shop, a, { amountMinor: 3000n });
  await refused(shop, b, 6001n);
  const large = await stage(shop, b, { amountMinor: 6000n });
  const entries = await everyMerchant().entry.count({ where: { merchantId: shop.id } });

  const brief = (rows: TriedRow[]) => rows.map(({ changeId, orderId, amountMinor, outcome }) => [changeId, orderId, amountMinor, outcome]);
  expect(brief(await all(shop, { max_refund_amount: { GBP: "6001" } }))).toEqual([[large.id, b.id, "6000", "same"], [null, b.id, "6001", "let_through"], [small.id, a.id, "3000", "same"]]);
  expect(brief(await all(shop, { max_refund_amount: { GBP: "5999" } }))).toEqual([[large.id, b.id, "6000", "refused"], [null, b.id, "6001", "same"], [small.id, a.id, "3000", "same"]]);
  expect(brief(await all(shop, { max_refund_pct: 30 }))).toEqual([[large.id, b.id, "6000", "refused"], [null, b.id, "6001", "same"], [small.id, a.id, "3000", "same"]]);
  expect((await all(shop, { max_refund_pct: 30 }))[0]).toMatchObject({ currency: "GBP", broken: { rule: "max_refund_pct", cap: "3000", actual: "6000" }, was: 1, now: null });
  expect(await everyMerchant().entry.count({ where: { merchantId: shop.id } })).toBe(entries);
  expect((await fsckMerchant(shop.id)).findings).toEqual([]);
});

test("what is refused without its entry leaves nothing to try either", async () => {
  const shop = await makeMerchant({ max_refund_amount: { GBP: "1" } });
  const order = await makeOrder(shop.id);
  for (let count = 0; count < 62; count++) await refused(shop, order, 2n);
  expect(await everyMerchant().refusedProposal.count({ where: { merchantId: shop.id } })).toBe(await everyMerchant().entry.count({ where: { merchantId: shop.id, type: "change.refused" } }));
  expect(await everyMerchant().refusedProposal.count({ where: { merchantId: shop.id } })).toBeLessThan(62);
});

test("pages follow each other to the end, and another merchant's are not among them", async () => {
  const [mine, other] = [await makeMerchant({ max_pending_per_agent: 600 }), await makeMerchant()];
  await stage(other, await makeOrder(other.id));
  const order = await makeOrder(mine.id, { lines: [{ quantity: 1, paidMinor: 1_000_000n }] });
  for (let count = 0; count < 501; count++) await stage(mine, order, { amountMinor: 1n });
  const rows = await all(mine, { max_pending_per_agent: 500 });
  expect(rows).toHaveLength(501);
  expect(new Set(rows.map(({ changeId }) => changeId)).size).toBe(501);
  expect(rows.map(({ outcome }) => outcome)).toEqual(["refused", ...Array<string>(500).fill("same")]); // the draft's cap is met by the 500th and passed by the last
}, 120_000);
