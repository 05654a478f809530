import { beforeAll, expect, test } from "vitest";
import { publishPolicy } from "../guardrails/publish";
import { DEFAULT_RULES } from "../guardrails/schema";
import { pauseMerchant } from "../guardrails/pause";
import { fsckMerchant } from "../log/fsck";
import { setClock, testDatabase, type TestDatabase } from "../testing/database";
import { approve, makeMerchant, makeOrder, readLog, stage, type TestMerchant } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { outcome, propose, stateOf, view } from "../testing/people";
import type { Refusal } from "../kernel/refusal";
import { applyChange } from "./apply";
import { readOrder } from "./order-view";
import { parseContent } from "./content";

// A person stages a refund from an order, and someone else decides it.

const AT_ONCE = { refund_approvals: [{ approvals: 1 }], undo_seconds: 0 };

let database: TestDatabase;
let merchant: TestMerchant;
beforeAll(async () => {
  database = await testDatabase();
  merchant = await makeMerchant(AT_ONCE);
});

const fieldsOf = (work: Promise<unknown>) => work.then(() => "done", (error: unknown) => (error as Refusal).more.fields);

test("by lines and shipping, at the server's prices; staged by the person, no agent, and in the log", async () => {
  const order = await makeOrder(merchant.id, { lines: [{ quantity: 3, paidMinor: 1000n }, { quantity: 1, paidMinor: 2499n }], shippingMinor: 450n });
  const { id } = await propose(merchant.maya, order, { lines: [{ lineId: order.lineIds[0]!, quantity: 2, restock: "returned" }], shipping: "4.50", note: " Two were chipped. " });
  const row = await everyMerchant().change.findFirstOrThrow({ where: { id }, include: { content: true } });
  expect(row).toMatchObject({ state: "staged", stagedBy: merchant.maya.personId, agentId: null, keyId: null, sessionId: null, amountMinor: 1116n, excludes: [merchant.maya.personId] });
  expect(parseContent(row.content!.content)).toMatchObject({ agent: null, session: null, supersedes: null, note: "Two were chipped.", reason: "goodwill", total: "1116" });
  const entry = (await readLog(merchant.id)).find(({ subject }) => subject === id)!;
  expect(entry).toMatchObject({ type: "change.staged", actor: { kind: "person", id: merchant.maya.personId }, data: { excludes: [merchant.maya.personId], total: "1116" } });
  expect(entry.data).not.toHaveProperty("agent");
  expect(await view(merchant.tom, id)).toMatchObject({ agent: null, origin: { stager: "Maya Lindqvist", byPerson: true }, mayNot: [{ name: "Maya Lindqvist", because: ["proposed"] }], viewer: { blocker: null } });
});

test("its stager may not approve it, whoever else they are; another may, and it is paid", async () => {
  const order = await makeOrder(merchant.id);
  const { id } = await propose(merchant.admin, order);
  expect(await outcome(approve(merchant.admin, id))).toBe("self_approval");
  expect((await view(merchant.admin, id)).viewer).toMatchObject({ blocker: "self_approval", whoCan: ["Maya Lindqvist", "Tom Adeyemi"] });
  await approve(merchant.tom, id);
  expect(await stateOf(id)).toBe("applied");
  expect((await fsckMerchant(merchant.id)).findings).toEqual([]);
});

test("up to a person's own cap, to the minor unit; an agent's cap is another", async () => {
  const capped = await makeMerchant({ ...AT_ONCE, max_refund_amount: { GBP: "100" }, max_operator_refund_amount: { GBP: "6000" } });
  const order = await makeOrder(capped.id);
  expect(await outcome(propose(capped.maya, order, { amount: "60.01" }))).toBe("max_operator_refund_amount");
  expect(await fieldsOf(propose(capped.maya, order, { amount: "60.01" }))).toEqual({ amount: ["max_operator_refund_amount 6000 6001"] });
  expect(await outcome(propose(capped.maya, order, { amount: "60.00" }))).toBe("done");
});

test("captured 100, refunded 60, held 40: the most that can be proposed is 0, on the order, for an agent and for a person", async () => {
  const slow = await makeMerchant(AT_ONCE);
  const order = await makeOrder(slow.id);
  await approve(slow.maya, (await stage(slow, order, { amountMinor: 6000n })).id);
  await publishPolicy(slow.setup, { ...DEFAULT_RULES, ...AT_ONCE, undo_seconds: 600 });
  await approve(slow.maya, (await stage(slow, order, { amountMinor: 4000n })).id);
  const { payment, conflicts } = await readOrder(await slow.maya.ctx(), order.id);
  expect(payment).toMatchObject({ capturedMinor: "10000", refundedMinor: "6000", heldMinor: "4000", refundableMinor: "0" });
  expect(conflicts.map(({ state, amountMinor, signers }) => [state, amountMinor, signers])).toEqual([["approved", "4000", ["Maya Lindqvist"]]]);
  expect(await outcome(propose(slow.maya, order, { amount: "0.01" }))).toBe("refundable_remainder");
  expect(await outcome(stage(slow, order, { amountMinor: 1n }))).toBe("refundable_remainder");
});

test("what is typed is an amount of the payment's currency, as exact as it is: yen have no decimals, dinars three", async () => {
  const caps = { JPY: "1000000", KWD: "1000000", GBP: "100000" };
  const far = await makeMerchant({ ...AT_ONCE, max_refund_amount: caps, max_operator_refund_amount: caps, operator_daily_approved_total: caps });
  const yen = await makeOrder(far.id, { lines: [{ quantity: 1, paidMinor: 5800n }], currency: "JPY" });
  const dinars = await makeOrder(far.id, { lines: [{ quantity: 1, paidMinor: 1255n }], currency: "KWD" });
  expect(await fieldsOf(propose(far.maya, yen, { amount: "100.5" }))).toEqual({ amount: [expect.stringContaining("JPY")] });
  expect(await fieldsOf(propose(far.maya, dinars, { amount: "1.2555" }))).toEqual({ amount: [expect.stringContaining("KWD")] });
  for (const [order, typed, minor] of [[yen, "5800", 5800n], [dinars, "1.255", 1255n]] as const) {
    const { id } = await propose(far.maya, order, { amount: typed });
    expect(await view(far.tom, id)).toMatchObject({ amountMinor: String(minor), payment: { remainsAfterMinor: "0" } });
    await approve(far.tom, id);
    expect(await everyMerchant().payment.findFirstOrThrow({ where: { id: order.paymentId } })).toMatchObject({ refundedMinor: minor, heldMinor: 0n });
  }
  const zloty = await makeOrder(far.id, { currency: "PLN" });
  expect(await outcome(propose(far.maya, zloty, { amount: "1.00" }))).toBe("no_cap_for_currency");
});

test("a form that does not fit is told so under its field, and nothing is staged", async () => {
  const order = await makeOrder(merchant.id, { shippingMinor: 100n });
  const other = await makeOrder(merchant.id);
  const line = { lineId: order.lineIds[0]!, quantity: 1, restock: "none" } as const;
  for (const typed of ["", "0", "0.00", "-5", "ten", "1e3", "1,50"]) expect(await fieldsOf(propose(merchant.maya, order, { amount: typed }))).toEqual({ amount: [expect.any(String)] });
  expect(await fieldsOf(propose(merchant.maya, order, { by: "lines", lines: [] }))).toEqual({ lines: [expect.any(String)] });
  expect(await fieldsOf(propose(merchant.maya, order, { lines: [{ ...line, lineId: other.lineIds[0]! }] }))).toEqual({ lines: [expect.any(String)] });
  expect(await fieldsOf(propose(merchant.maya, order, { lines: [{ ...line, quantity: 2 }] }))).toEqual({ "lines.0": ["units_left 1 2"] });
  expect(await fieldsOf(propose(merchant.maya, order, { lines: [line], shipping: "1.01" }))).toMatchObject({ shipping: ["refundable_remainder 100 101"] });
  expect(await everyMerchant().change.count({ where: { orderId: order.id } })).toBe(0);
});

test("an auditor proposes nothing, nor anyone on another shop's order, nor while the shop is paused; each leaves its trace", async () => {
  const other = await makeMerchant();
  const order = await makeOrder(other.id);
  expect(await outcome(propose(merchant.maya, order))).toBe("not_found");
  expect(await outcome(propose(other.auditor, order))).toBe("forbidden");
  await pauseMerchant(await other.admin.ctx(), { reason: "Something is wrong" });
  expect(await outcome(propose(other.maya, order))).toBe("paused");
  const traces = async (id: string) => (await readLog(id)).filter(({ type }) => type === "change.refused").map(({ subject, data }) => [subject, data.code, data.verb]);
  expect(await traces(other.id)).toEqual([[other.auditor.personId, "forbidden", "propose"], [other.maya.personId, "guardrail_violation", "propose"]]);
  expect(await traces(merchant.id)).toContainEqual([merchant.maya.personId, "not_found", "propose"]);
});

test("the same form twice is one change, also at once; a refund that nobody is left to approve is refused", async () => {
  const order = await makeOrder(merchant.id);
  const [a, b] = await Promise.all([propose(merchant.maya, order), propose(merchant.maya, order)]);
  expect(b).toEqual(a);
  expect(await propose(merchant.tom, order)).not.toEqual(a);
  const many = await makeMerchant({ refund_approvals: [{ approvals: 3 }] });
  expect(await outcome(propose(many.maya, await makeOrder(many.id)))).toBe("eligible_approvers");
});

test("a dispute opened after the approval: refused at apply, with its cause, and no money moved", async () => {
  const slow = await makeMerchant({ ...AT_ONCE, undo_seconds: 600 });
  const order = await makeOrder(slow.id);
  const { id } = await propose(slow.maya, order, { amount: "80.00" });
  await approve(slow.tom, id);
  await everyMerchant().payment.updateMany({ where: { id: order.paymentId }, data: { disputedMinor: 5000n } });
  const { effectiveAt } = await everyMerchant().change.findFirstOrThrow({ where: { id } });
  await setClock(database.ownerUrl, effectiveAt!.toISOString());
  try {
    await applyChange(slow.id, id);
  } finally {
    await setClock(database.ownerUrl, null);
  }
  expect(await stateOf(id)).toBe("failed");
  expect(await view(slow.tom, id)).toMatchObject({ failure: { cause: "guardrail_violation", rule: "refundable_remainder", cap: "5000", actual: "8000" }, paidMinor: "0" });
  expect(await everyMerchant().payment.findFirstOrThrow({ where: { id: order.paymentId } })).toMatchObject({ refundedMinor: 0n, heldMinor: 0n });
});

test("the database stages for nobody who does not decide, and for nobody who could then approve it", async () => {
  const order = await makeOrder(merchant.id);
  const { id } = await propose(merchant.maya, order);
  const copy = (staged: string, excludes: string[]) => everyMerchant().$executeRaw`
    INSERT INTO change SELECT (x).* FROM (SELECT jsonb_populate_record(c, jsonb_build_object('id', 'chg-AAAAAAAAAA', 'state', 'staged', 'revision', 1, 'staged_by', ${staged}::text, 'excludes', ${excludes}::text[])) AS x FROM change c WHERE id = ${id}) y`;
  await expect(copy(merchant.auditor.personId, [merchant.auditor.personId])).rejects.toThrow(/may not stage/);
  await expect(copy(merchant.tom.personId, [merchant.maya.personId])).rejects.toThrow(/may not stage/);
});
