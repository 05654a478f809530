import { beforeAll, expect, test } from "vitest";
import { pauseMerchant } from "../guardrails/pause";
import { removeMember } from "../identity/members";
import { rotateKey } from "../identity/agents";
import { fsckMerchant } from "../log/fsck";
import { testDatabase } from "../testing/database";
import { approve, look, makeMerchant, makeOrder, readLog, stage, type TestMerchant } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { outcome, propose, stateOf, trim, view } from "../testing/people";
import type { Refusal } from "../kernel/refusal";
import { retractApproval } from "./retract";
import { trimChange, TrimInput } from "./trim";

// An approver lowers what was proposed and signs what is left, in one step.

const SINGLE = { refund_approvals: [{ approvals: 1 }], undo_seconds: 600 };
let merchant: TestMerchant;
beforeAll(async () => {
  await testDatabase();
  merchant = await makeMerchant(SINGLE);
});

const fieldsOf = (work: Promise<unknown>) => work.then(() => "done", (error: unknown) => (error as Refusal).more.fields);
const mugs = (merchantId: string) => makeOrder(merchantId, { lines: [{ quantity: 3, paidMinor: 1000n }, { quantity: 1, paidMinor: 2000n }], shippingMinor: 500n });

test("fewer units and less shipping: the old one is withdrawn, the new one staged by the same stager and approved, in one transaction", async () => {
  const order = await mugs(merchant.id);
  const [mug, apron] = order.lineIds as [string, string];
  const old = await stage(merchant, order, { lines: [{ lineId: mug, quantity: 3, restock: "returned" }, { lineId: apron, quantity: 1, restock: "none" }], shipping: { amountMinor: "500" }, note: "Broken" });
  const from = (await readLog(merchant.id)).length;
  const { verb, changeId } = await trim(merchant.maya, old.id, { [mug]: "2", [apron]: "0", [order.id]: "1.20" });
  expect(verb).toBe("approve");
  const log = (await readLog(merchant.id)).slice(from);
  expect(log.map(({ type, subject, actor }) => [type, subject, actor.id])).toEqual([
    ["change.withdrawn", old.id, merchant.maya.personId], ["change.staged", changeId, merchant.agent.id], ["change.approved", changeId, merchant.maya.personId],
  ]);
  expect(log[1]!.data).toMatchObject({ supersedes: old.id, by: merchant.maya.personId, total: "786", excludes: [merchant.admin.personId], agent: merchant.agent.id });
  expect(await view(merchant.tom, changeId)).toMatchObject({
    state: "approved", amountMinor: "786", note: "Broken", expiresAt: old.expiresAt, origin: { stager: "returns-desk", trimmedBy: "Maya Lindqvist", replaces: old.id },
    lines: [{ quantity: 2, amountMinor: "666", restock: "returned" }, { kind: "shipping", amountMinor: "120" }],
  });
  expect(await view(merchant.tom, old.id)).toMatchObject({ state: "withdrawn", origin: { replacedBy: { id: changeId, trimmedBy: "Maya Lindqvist" } } });
  expect(await everyMerchant().payment.findFirstOrThrow({ where: { id: order.paymentId } })).toMatchObject({ stagedMinor: 0n, heldMinor: 786n });
  expect((await fsckMerchant(merchant.id)).findings).toEqual([]);
});

test("only lower: more, another line, nothing lowered and nothing left are refused by name, and the change waits as it was", async () => {
  const order = await mugs(merchant.id);
  const [mug, apron] = order.lineIds as [string, string];
  const { id } = await stage(merchant, order, { lines: [{ lineId: mug, quantity: 2, restock: "none" }], shipping: { amountMinor: "500" } });
  const refused = (lowered: Record<string, string>) => fieldsOf(trim(merchant.maya, id, lowered));
  expect(await refused({ [mug]: "3" })).toEqual({ [mug]: ["More than was proposed"] });
  expect(await refused({ [order.id]: "5.01" })).toEqual({ [order.id]: ["More than was proposed"] });
  expect(await refused({ [apron]: "1" })).toEqual({ [apron]: ["This was not proposed"] });
  expect(await refused({})).toEqual({ lowered: [expect.stringContaining("Lower something")] });
  expect(await refused({ [mug]: "2", [order.id]: "5.00" })).toEqual({ lowered: [expect.stringContaining("Lower something")] });
  expect(await refused({ [mug]: "0", [order.id]: "0" })).toEqual({ lowered: [expect.stringContaining("Something must be left")] });
  for (const typed of ["", "-1", "1.5", "one"]) expect(await refused({ [mug]: typed })).toEqual({ [mug]: ["Give a whole number"] });
  for (const typed of ["", "-1", "1.234", "1,5"]) expect(await refused({ [order.id]: typed })).toEqual({ [order.id]: ["Not an amount in GBP"] });
  expect(await stateOf(id)).toBe("staged");
  expect(await everyMerchant().change.count({ where: { supersedes: id } })).toBe(0);
});

test("whoever may approve may trim: not the key's owner, not a stager, not an auditor; nor what ended or moved", async () => {
  const order = await makeOrder(merchant.id);
  const { id } = await stage(merchant, order, { amountMinor: 5000n });
  const lowered = { [order.paymentId]: "40.00" };
  expect(await outcome(trim(merchant.admin, id, lowered))).toBe("self_approval");
  expect(await outcome(trim(merchant.auditor, id, lowered))).toBe("forbidden");
  const own = await propose(merchant.maya, order, { amount: "30.00" });
  expect(await outcome(trim(merchant.maya, own.id, { [order.paymentId]: "1.00" }))).toBe("self_approval");
  const form = { ...(await look(merchant.tom, id)), lowered: JSON.stringify(lowered) };
  const send = async (over: object) => outcome(trimChange(await merchant.tom.ctx(), TrimInput.parse({ ...form, ...over })));
  expect(await send({ seenDigest: "0".repeat(64) })).toBe("change_moved");
  expect(await send({ seenFactsDigest: "0".repeat(64) })).toBe("facts_moved");
  expect(await send({ changeId: "chg-0000000000" })).toBe("not_found");
  expect(await send({})).toBe("done");
  expect(await send({ lowered: JSON.stringify({ [order.paymentId]: "41.00" }) })).toBe("change_already_withdrawn");
});

test("a person's proposal that is lowered stays theirs: they may still not approve it, and the trimmer did", async () => {
  const two = await makeMerchant({ refund_approvals: [{ approvals: 2 }] });
  const order = await makeOrder(two.id);
  const { id } = await propose(two.maya, order, { amount: "50.00" });
  await approve(two.admin, id);
  const { verb, changeId } = await trim(two.tom, id, { [order.paymentId]: "45.00" });
  expect(verb).toBe("endorse");
  expect(await view(two.admin, changeId)).toMatchObject({ state: "staged", have: 1, required: 2, signatures: [{ name: "Tom Adeyemi" }], origin: { stager: "Maya Lindqvist", byPerson: true } });
  expect(await outcome(approve(two.maya, changeId))).toBe("self_approval");
  expect((await view(two.tom, changeId)).viewer.blocker).toBe("already_endorsed");
  await approve(two.admin, changeId);
  expect(await stateOf(changeId)).toBe("approved");
  expect((await fsckMerchant(two.id)).findings).toEqual([]);
});

test("who signed may lower and sign anew; the same form twice is one trim; what was signed can be taken back", async () => {
  const two = await makeMerchant({ refund_approvals: [{ approvals: 1, up_to: { GBP: "4000" } }, { approvals: 2 }], undo_seconds: 600 });
  const order = await makeOrder(two.id);
  const { id } = await stage(two, order, { amountMinor: 5000n });
  await approve(two.maya, id);
  const form = TrimInput.parse({ ...(await look(two.maya, id)), lowered: JSON.stringify({ [order.paymentId]: "40.00" }) });
  const both = await Promise.all([trimChange(await two.maya.ctx(), form), trimChange(await two.maya.ctx(), form)]);
  expect(both[0]).toEqual(both[1]);
  expect(both[0]!.verb).toBe("approve");
  const { changeId } = both[0]!;
  const [{ seenDigest }] = [await look(two.maya, changeId)];
  await retractApproval(await two.maya.ctx(), { changeId, seenDigest });
  expect(await stateOf(changeId)).toBe("staged");
  expect(await everyMerchant().agent.findFirstOrThrow({ where: { id: two.agent.id } })).toMatchObject({ pending: 1 });
});

test("what asks for more than remains can be lowered to what does; to more it cannot", async () => {
  const order = await makeOrder(merchant.id);
  const [first, second] = [await stage(merchant, order, { amountMinor: 6000n }), await stage(merchant, order, { amountMinor: 6000n })];
  await approve(merchant.tom, first.id);
  expect(await outcome(trim(merchant.maya, second.id, { [order.paymentId]: "40.01" }))).toBe("exceeds_refundable");
  expect(await outcome(trim(merchant.maya, second.id, { [order.paymentId]: "40.00" }))).toBe("done");
  expect(await everyMerchant().payment.findFirstOrThrow({ where: { id: order.paymentId } })).toMatchObject({ heldMinor: 10_000n, stagedMinor: 0n });
});

test("a trim counts to no agent's day, and nothing is trimmed while the shop is paused", async () => {
  const tight = await makeMerchant({ ...SINGLE, agent_daily_changes: 2, agent_daily_refund_total: { GBP: "10000" } });
  const order = await makeOrder(tight.id);
  const { id } = await stage(tight, order, { amountMinor: 9000n });
  const { changeId } = await trim(tight.maya, id, { [order.paymentId]: "80.00" });
  expect(await everyMerchant().agentDay.findFirstOrThrow({ where: { merchantId: tight.id } })).toMatchObject({ changes: 1, amountMinor: 9000n });
  expect(await stateOf(changeId)).toBe("approved");
  const waiting = await stage(tight, await makeOrder(tight.id), { amountMinor: 1000n });
  await pauseMerchant(await tight.admin.ctx(), { reason: "Stop" });
  const { paymentId } = await everyMerchant().change.findFirstOrThrow({ where: { id: waiting.id } });
  expect(await outcome(trim(tight.maya, waiting.id, { [paymentId]: "5.00" }))).toBe("paused");
});

test("who came to the agent's key since may not trim, and a stager who left leaves no finding", async () => {
  const shop = await makeMerchant(SINGLE);
  const order = await makeOrder(shop.id);
  const { id } = await stage(shop, order, { amountMinor: 5000n });
  await rotateKey(shop.setup, { keyId: shop.agent.keyId, ownerId: shop.maya.personId, expiresAt: new Date("2099-01-01T00:00:00.000Z") });
  expect(await outcome(trim(shop.maya, id, { [order.paymentId]: "40.00" }))).toBe("self_approval");
  const proposed = await propose(shop.maya, order, { amount: "10.00" });
  const { id: memberId } = await everyMerchant().member.findFirstOrThrow({ where: { merchantId: shop.id, personId: shop.maya.personId } });
  await removeMember(await shop.admin.ctx(), { memberId });
  expect(await outcome(trim(shop.tom, proposed.id, { [order.paymentId]: "9.00" }))).toBe("done");
  expect((await fsckMerchant(shop.id)).findings).toEqual([]);
});
