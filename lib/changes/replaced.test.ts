import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createAgent, createKey } from "../identity/agents";
import { fsckMerchant } from "../log/fsck";
import { openSession } from "../sessions/open";
import { recordRead } from "../sessions/provenance";
import { testDatabase } from "../testing/database";
import { approve, makeMerchant, makeOrder, readLog, stage, type TestMerchant, type TestOrder } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { outcome, reject, stateOf, view } from "../testing/people";
import { judgeRefund, stageRefund } from "./stage";

// An agent's change takes the place of one of its own.

const SINGLE = { refund_approvals: [{ approvals: 1 }], undo_seconds: 600 };
let merchant: TestMerchant;
beforeAll(async () => {
  await testDatabase();
  merchant = await makeMerchant(SINGLE);
});

const tail = async (id: string, from: number) => (await readLog(id)).slice(from).map(({ type, actor, subject }) => [type, actor.kind, subject]);
const payment = ({ paymentId }: TestOrder) => everyMerchant().payment.findFirstOrThrow({ where: { id: paymentId } });

test("the old one is withdrawn and the new one staged, by the same agent, one after the other; payment and counters follow", async () => {
  const order = await makeOrder(merchant.id);
  const old = await stage(merchant, order, { amountMinor: 6000n });
  const from = (await readLog(merchant.id)).length;
  const now = await stage(merchant, order, { amountMinor: 2500n, supersedes: old.id });
  expect(await tail(merchant.id, from)).toEqual([["change.withdrawn", "agent", old.id], ["change.staged", "agent", now.id]]);
  expect((await readLog(merchant.id)).at(-1)!.data).toMatchObject({ supersedes: old.id, total: "2500" });
  expect(now.content!.supersedes).toBe(old.id);
  expect(await stateOf(old.id)).toBe("withdrawn");
  expect(await payment(order)).toMatchObject({ stagedMinor: 2500n, heldMinor: 0n });
  expect(await view(merchant.maya, old.id)).toMatchObject({ origin: { replacedBy: { id: now.id, trimmedBy: null } } });
  await approve(merchant.maya, now.id);
  expect((await fsckMerchant(merchant.id)).findings).toEqual([]);
});

test("only its own: another agent's, another shop's and an unknown one answer alike; a decided one by what became of it", async () => {
  const order = await makeOrder(merchant.id);
  const other = await makeMerchant(SINGLE);
  const foreign = await stage(other, await makeOrder(other.id));
  const { id: secondAgent } = await createAgent(merchant.setup, { name: "another" });
  const key = await createKey(merchant.setup, { agentId: secondAgent, ownerId: merchant.admin.personId, scopes: ["read", "stage:refund"], expiresAt: new Date("2099-01-01T00:00:00.000Z") });
  const actor = { kind: "agent", id: secondAgent, keyId: key.id, for: merchant.admin.personId, scopes: ["read", "stage:refund"] } as const;
  const theirs = await stage({ ...merchant, agent: { ...merchant.agent, ctx: async () => ({ ...(await merchant.agent.ctx()), actor }) } }, order);
  for (const supersedes of [theirs.id, foreign.id, "chg-0000000000", "x"]) expect(await outcome(stage(merchant, order, { supersedes }))).toBe("not_found");
  const [approved, rejected] = [await stage(merchant, order), await stage(merchant, order)];
  await approve(merchant.maya, approved.id);
  await reject(merchant.maya, rejected.id);
  expect(await outcome(stage(merchant, order, { supersedes: approved.id }))).toBe("change_already_approved");
  expect(await outcome(stage(merchant, order, { supersedes: rejected.id }))).toBe("change_already_rejected");
  const elsewhere = await stage(merchant, await makeOrder(merchant.id));
  expect(await outcome(stage(merchant, order, { supersedes: elsewhere.id }))).toBe("invalid_input");
  expect(await stateOf(elsewhere.id)).toBe("staged");
  expect(await stateOf(theirs.id)).toBe("staged");
});

test("of ten that want one place one gets it; the same call again gets its answer again; a refused one leaves the old one waiting", async () => {
  const order = await makeOrder(merchant.id);
  const old = await stage(merchant, order);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => outcome(stage(merchant, order, { amountMinor: BigInt(100 + n), supersedes: old.id }))));
  expect(answers.toSorted()).toEqual([...Array.from({ length: 9 }, () => "change_already_withdrawn"), "done"]);
  const [current] = await everyMerchant().change.findMany({ where: { supersedes: old.id } });
  expect(await outcome(stage(merchant, order, { amountMinor: 50_001n, supersedes: current!.id }))).toContain("max_refund_amount");
  expect(await stateOf(current!.id)).toBe("staged");

  const ctx = await merchant.agent.ctx();
  const { id: sessionId } = await openSession(ctx);
  await recordRead(ctx, sessionId, [order.id], true);
  const key = randomBytes(9).toString("base64url");
  const call = () => stageRefund(ctx, sessionId, { key, hash: key }, { kind: "refund", orderId: order.id, reason: "damaged", amount: { amountMinor: "900", currency: "GBP" }, supersedes: current!.id });
  const first = await call();
  expect(await call()).toEqual({ ...first, replayed: true });
  expect(await everyMerchant().change.count({ where: { supersedes: current!.id } })).toBe(1);
});

test("what makes room does not count against what takes it: a full queue, the quorum's sum; the day does count", async () => {
  const full = await makeMerchant({ refund_approvals: [{ approvals: 1, up_to: { GBP: "10000" } }, { approvals: 2 }], max_pending_per_agent: 1, agent_daily_changes: 2 });
  const order = await makeOrder(full.id);
  const old = await stage(full, order, { amountMinor: 9000n });
  expect(await outcome(stage(full, order, { amountMinor: 100n }))).toBe("max_pending_per_agent");
  const ctx = await full.agent.ctx();
  const { id: sessionId } = await openSession(ctx);
  await recordRead(ctx, sessionId, [order.id], true);
  const dry = await judgeRefund(ctx, sessionId, { kind: "refund", orderId: order.id, reason: "damaged", amount: { amountMinor: "8000", currency: "GBP" }, supersedes: old.id });
  expect(dry).toMatchObject({ outcome: "needs_approvals", required: 1 });
  expect(await stateOf(old.id)).toBe("staged");
  const now = await stage(full, order, { amountMinor: 8000n, supersedes: old.id });
  expect(now.verdict).toEqual(dry);
  expect(await everyMerchant().agent.findFirstOrThrow({ where: { id: full.agent.id } })).toMatchObject({ pending: 1 });
  expect(await outcome(stage(full, order, { amountMinor: 7000n, supersedes: now.id }))).toBe("agent_daily_changes");
});

test("who might not approve the old one may not approve the new one, by whichever key it comes", async () => {
  const order = await makeOrder(merchant.id);
  const old = await stage(merchant, order);
  const key = await createKey(merchant.setup, { agentId: merchant.agent.id, ownerId: merchant.tom.personId, scopes: ["read", "stage:refund"], expiresAt: new Date("2099-01-01T00:00:00.000Z") });
  const actor = { kind: "agent", id: merchant.agent.id, keyId: key.id, for: merchant.tom.personId, scopes: ["read", "stage:refund"] } as const;
  const now = await stage({ ...merchant, agent: { ...merchant.agent, ctx: async () => ({ ...(await merchant.agent.ctx()), actor }) } }, order, { supersedes: old.id });
  expect((await everyMerchant().change.findFirstOrThrow({ where: { id: now.id } })).excludes).toEqual([merchant.admin.personId, merchant.tom.personId].toSorted());
  for (const person of [merchant.admin, merchant.tom]) expect(await outcome(approve(person, now.id))).toBe("self_approval");
  expect((await view(merchant.maya, now.id)).mayNot.map(({ name, because }) => [name, because])).toEqual([["Ines Carvalho", ["owns_key", "made_key"]], ["Tom Adeyemi", ["owns_key", "made_key"]]]);
  await approve(merchant.maya, now.id);
});

test("the database lets nothing take a place that is not free, nor forget who may not approve", async () => {
  const order = await makeOrder(merchant.id);
  const [waiting, other] = [await stage(merchant, order), await stage(merchant, order)];
  const copy = (over: object) => everyMerchant().$executeRaw`
    INSERT INTO change SELECT (x).* FROM (SELECT jsonb_populate_record(c, ${JSON.stringify({ id: "chg-BBBBBBBBBB", ...over })}::jsonb) AS x FROM change c WHERE id = ${other.id}) y`;
  await expect(copy({ supersedes: waiting.id })).rejects.toThrow(/does not take the place/);
  const now = await stage(merchant, order, { supersedes: waiting.id });
  await expect(copy({ supersedes: waiting.id, excludes: [merchant.maya.personId] })).rejects.toThrow(/does not take the place/);
  await expect(copy({ supersedes: waiting.id })).rejects.toThrow(/change_superseded_once|supersedes/);
  await expect(copy({ supersedes: waiting.id, trimmed_by: merchant.maya.personId })).rejects.toThrow(/does not take the place/);
  expect(await stateOf(now.id)).toBe("staged");
});
