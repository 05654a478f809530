import { beforeAll, describe, expect, test } from "vitest";
import { sha256Hex } from "../kernel/digest";
import { Refusal } from "../kernel/refusal";
import { publishPolicy } from "../guardrails/publish";
import { DEFAULT_RULES } from "../guardrails/schema";
import { pauseMerchant } from "../guardrails/pause";
import { runDueJobs } from "../jobs/run";
import { endSignIn } from "../identity/sign-ins";
import { setClock, testDatabase, type TestDatabase } from "../testing/database";
import { everyMerchant } from "../testing/owner";
import { approve, look, makeMerchant, makeOrder, readLog, stage, type TestMerchant, type TestPerson } from "../testing/factories";
import { approveChange } from "./approve";
import { readChange } from "./queries";
import { rejectChange } from "./reject";
import { retractApproval } from "./retract";
import { retryChange } from "./retry";
import { withdrawFailed } from "./withdraw";

const ONE_IS_ENOUGH = { refund_approvals: [{ approvals: 1 }] };

let database: TestDatabase;
let merchant: TestMerchant;
beforeAll(async () => {
  database = await testDatabase();
  merchant = await makeMerchant(ONE_IS_ENOUGH);
});

const outcome = (work: Promise<unknown>): Promise<string> => work.then(() => "done", (error: unknown) => { if (error instanceof Refusal) return error.code; throw error; });
const stateOf = async (id: string) => (await everyMerchant().change.findFirstOrThrow({ where: { id } })).state;
const payment = (id: string) => everyMerchant().payment.findFirstOrThrow({ where: { id } });
const approveSeen = async (person: TestPerson, form: Awaited<ReturnType<typeof look>>) => approveChange(await person.ctx(), form);
const reject = async (person: TestPerson, changeId: string, reason = "Not shown to be damaged") =>
  rejectChange(await person.ctx(), { changeId, seenDigest: (await look(person, changeId)).seenDigest, code: "other", reason });

describe("money", () => {
  test("of two refunds of 60.00 on 100.00 one wins, the other is told that 40.00 remains and stays staged", async () => {
    const order = await makeOrder(merchant.id);
    const changes = [await stage(merchant, order, { amountMinor: 6000n }), await stage(merchant, order, { amountMinor: 6000n })];
    const forms = await Promise.all(changes.map(({ id }) => look(merchant.tom, id)));
    const refusals = (await Promise.allSettled(forms.map((form) => approveSeen(merchant.tom, form)))).filter((each) => each.status === "rejected").map(({ reason }) => reason as Refusal);
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toMatchObject({ code: "exceeds_refundable", message: expect.stringContaining("£40.00 remains") });
    expect(refusals[0]!.more.moved).toContainEqual({ label: "Remaining", was: "£100.00", now: "£40.00" });
    expect((await Promise.all(changes.map(({ id }) => stateOf(id)))).toSorted()).toEqual(["approved", "staged"]);
    expect(await payment(order.paymentId)).toMatchObject({ heldMinor: 6000n, stagedMinor: 6000n });
  });

  test("of three refunds of 34.00 one wins, two see the figures move; after looking again one more wins, the last is told 32.00", async () => {
    const order = await makeOrder(merchant.id);
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await stage(merchant, order, { amountMinor: 3400n })).id);
    const forms = await Promise.all(ids.map((id) => look(merchant.tom, id)));
    const first = await Promise.all(forms.map((form) => outcome(approveSeen(merchant.tom, form))));
    expect(first.toSorted()).toEqual(["done", "facts_moved", "facts_moved"]);
    const left = ids.filter((_, index) => first[index] !== "done");
    const again = await Promise.all(left.map((id) => look(merchant.tom, id)));
    const second = await Promise.allSettled(again.map((form) => approveSeen(merchant.tom, form)));
    const refusal = second.find((each) => each.status === "rejected")!.reason as Refusal;
    expect(refusal).toMatchObject({ code: "exceeds_refundable", message: expect.stringContaining("£32.00 remains") });
    expect((await payment(order.paymentId)).heldMinor).toBe(6800n);
  });

  test("10 then 5 on an order of 20", async () => {
    const order = await makeOrder(merchant.id, { lines: [{ quantity: 20, paidMinor: 2000n }] });
    const ten = await stage(merchant, order, { lines: [{ lineId: order.lineIds[0]!, quantity: 10, restock: "none" }] });
    await approve(merchant.tom, ten.id);
    const five = await stage(merchant, order, { lines: [{ lineId: order.lineIds[0]!, quantity: 5, restock: "none" }] });
    expect(five.content!.items[0]).toMatchObject({ before: "1000", after: "1500" });
    await approve(merchant.tom, five.id);
    expect(await everyMerchant().orderLine.findFirstOrThrow({ where: { id: order.lineIds[0]! } })).toMatchObject({ heldQuantity: 15, heldMinor: 1500n });
  });

  test("the same units of a line cannot be taken twice, though the payment would bear it", async () => {
    const order = await makeOrder(merchant.id, { lines: [{ quantity: 2, paidMinor: 200n }, { quantity: 1, paidMinor: 9000n }] });
    const lines = [{ lineId: order.lineIds[0]!, quantity: 2, restock: "none" as const }];
    const [one, two] = [await stage(merchant, order, { lines }), await stage(merchant, order, { lines })];
    await approve(merchant.tom, one.id);
    expect(await outcome(approve(merchant.tom, two.id))).toBe("exceeds_refundable");
  });

  test("parts of a line sum to what was paid", async () => {
    const order = await makeOrder(merchant.id, { lines: [{ quantity: 3, paidMinor: 100n }] });
    const totals = [];
    for (let n = 0; n < 3; n++) {
      const part = await stage(merchant, order, { lines: [{ lineId: order.lineIds[0]!, quantity: 1, restock: "none" }] });
      totals.push(part.content!.total);
      await approve(merchant.tom, part.id);
    }
    expect(totals).toEqual(["33", "33", "34"]);
  });
});

describe("what is approved is what was seen", () => {
  test("money that moves between look and approval: facts_moved with old and new", async () => {
    const order = await makeOrder(merchant.id);
    const change = await stage(merchant, order, { amountMinor: 1000n });
    const form = await look(merchant.tom, change.id);
    await everyMerchant().$executeRaw`UPDATE payment SET captured_minor = 9000 WHERE id = ${order.paymentId}`;
    const refusal = await approveSeen(merchant.tom, form).catch((error: Refusal) => error) as Refusal;
    expect(refusal.code).toBe("facts_moved");
    expect(refusal.more.moved).toEqual([{ label: "Remaining", was: "£100.00", now: "£90.00" }, { label: "Paid", was: "£100.00", now: "£90.00" }]);
    expect(await outcome(approve(merchant.tom, change.id))).toBe("done");
  });
  test("another digest", async () => {
    const change = await stage(merchant, await makeOrder(merchant.id));
    const form = await look(merchant.tom, change.id);
    expect(await outcome(approveSeen(merchant.tom, { ...form, seenDigest: "0".repeat(64) }))).toBe("change_moved");
  });
  test("a rule that was published meanwhile moves the figures", async () => {
    const shop = await makeMerchant(ONE_IS_ENOUGH);
    const change = await stage(shop, await makeOrder(shop.id));
    const form = await look(shop.tom, change.id);
    await publishPolicy(shop.setup, { ...DEFAULT_RULES, undo_seconds: 9 });
    expect(await outcome(approveSeen(shop.tom, form))).toBe("facts_moved");
  });
});

describe("nobody approves their own, nobody twice", () => {
  test("the key's owner may reject but not approve; the refusal is in the log", async () => {
    const change = await stage(merchant, await makeOrder(merchant.id));
    expect(await outcome(approve(merchant.admin, change.id))).toBe("self_approval");
    expect((await readLog(merchant.id)).at(-1)).toMatchObject({ type: "change.refused", subject: change.id, data: { code: "self_approval", verb: "approve" }, actor: { id: merchant.admin.personId } });
    expect(await outcome(reject(merchant.admin, change.id))).toBe("done");
  });
  test("an auditor decides nothing", async () => {
    const change = await stage(merchant, await makeOrder(merchant.id));
    const form = await look(merchant.auditor, change.id);
    const seen = { changeId: change.id, seenDigest: change.digest };
    const deeds: [string, () => Promise<unknown>][] = [
      ["approve", () => approveSeen(merchant.auditor, form)], ["reject", () => reject(merchant.auditor, change.id)],
      ["retract", async () => retractApproval(await merchant.auditor.ctx(), seen)], ["retry", async () => retryChange(await merchant.auditor.ctx(), seen)], ["withdraw", async () => withdrawFailed(await merchant.auditor.ctx(), seen)],
    ];
    for (const [verb, deed] of deeds) {
      expect(await outcome(deed())).toBe("forbidden");
      expect((await readLog(merchant.id)).at(-1)).toMatchObject({ type: "change.refused", subject: change.id, actor: { id: merchant.auditor.personId }, data: { code: "forbidden", verb } });
    }
    expect(await outcome(approveSeen(merchant.auditor, { ...form, changeId: "chg-AAAAAAAAAA" }))).toBe("forbidden");
    expect((await readLog(merchant.id)).at(-1)).toMatchObject({ subject: merchant.auditor.personId });
  });
  test("above 100.00 two persons, each once; at once both count", async () => {
    const shop = await makeMerchant();
    const order = await makeOrder(shop.id, { lines: [{ quantity: 1, paidMinor: 30_000n }] });
    const change = await stage(shop, order, { amountMinor: 12_000n });
    expect(change.required).toBe(2);
    expect((await approve(shop.tom, change.id)).verb).toBe("endorse");
    const view = await readChange(await shop.tom.ctx(), change.id);
    expect(view).toMatchObject({ have: 1, viewer: { blocker: "already_endorsed", whoCan: ["Maya Lindqvist"] } });
    const moved = { ...(await look(shop.tom, change.id)), seenFactsDigest: "1".repeat(64) };
    expect(await outcome(approveSeen(shop.tom, moved))).toBe("already_endorsed");
    expect((await approve(shop.maya, change.id)).verb).toBe("approve");

    const both = await stage(shop, order, { amountMinor: 11_000n });
    const forms = [await look(shop.tom, both.id), await look(shop.maya, both.id)];
    const verbs = (await Promise.all([approveSeen(shop.tom, forms[0]!), approveSeen(shop.maya, forms[1]!)])).map(({ verb }) => verb);
    expect(verbs.toSorted()).toEqual(["approve", "endorse"]);
  });
  test("refunds of 60.00 on one order reach the second person together", async () => {
    const shop = await makeMerchant();
    const order = await makeOrder(shop.id, { lines: [{ quantity: 1, paidMinor: 30_000n }] });
    expect((await stage(shop, order, { amountMinor: 6000n })).required).toBe(1);
    expect((await stage(shop, order, { amountMinor: 6000n })).required).toBe(2);
  });
  test("a sign-in that has ended, a role that was taken", async () => {
    const shop = await makeMerchant(ONE_IS_ENOUGH);
    const change = await stage(shop, await makeOrder(shop.id));
    const form = await look(shop.tom, change.id);
    const ctx = await shop.tom.ctx();
    await endSignIn({ merchantId: shop.id, signInId: ctx.actor.signInId });
    expect(await outcome(approveChange(ctx, form))).toBe("unauthenticated");
    await everyMerchant().member.update({ where: { merchantId_personId: { merchantId: shop.id, personId: shop.maya.personId } }, data: { role: "auditor" } });
    expect(await outcome(approveSeen(shop.maya, form))).toBe("forbidden");
    expect(await stateOf(change.id)).toBe("staged");
  });
});

describe("races end in one truth", () => {
  test("approve and reject at once", async () => {
    const change = await stage(merchant, await makeOrder(merchant.id));
    const form = await look(merchant.tom, change.id);
    const outcomes = await Promise.all([outcome(approveSeen(merchant.tom, form)), outcome(reject(merchant.maya, change.id))]);
    const state = await stateOf(change.id);
    if (state === "rejected") expect(outcomes[1]).toBe("done"); // a reject may follow the approval, before it takes effect
    else expect(outcomes).toEqual(["done", "change_already_approved"]);
    expect(["approved", "rejected"]).toContain(state);
  });
  test("a double click, and the same form in two tabs, tell the same decision twice", async () => {
    const change = await stage(merchant, await makeOrder(merchant.id));
    const form = await look(merchant.tom, change.id);
    const answers = await Promise.all([approveSeen(merchant.tom, form), approveSeen(merchant.tom, form), approveSeen(merchant.tom, form)]);
    expect(new Set(answers.map(({ leafHash }) => leafHash)).size).toBe(1);
    const doubled = await stage(merchant, await makeOrder(merchant.id));
    const rejected = await Promise.all([reject(merchant.tom, doubled.id), reject(merchant.tom, doubled.id)]);
    expect(rejected[0]!.leafHash).toBe(rejected[1]!.leafHash);
  });
});

test("a form sent again after the change came to nothing is not told that it was approved", async () => {
  const shop = await makeMerchant();
  const order = await makeOrder(shop.id, { lines: [{ quantity: 1, paidMinor: 30_000n }] });
  const change = await stage(shop, order, { amountMinor: 12_000n });
  const form = await look(shop.maya, change.id);
  expect((await approveSeen(shop.maya, form)).verb).toBe("endorse");
  await reject(shop.tom, change.id);
  expect(await outcome(approveSeen(shop.maya, form))).toBe("change_already_rejected");
});

test("figures that are none decide nothing and leave the refusal in the log", async () => {
  const change = await stage(merchant, await makeOrder(merchant.id));
  const form = await look(merchant.tom, change.id);
  const seenFigures = form.seenFigures.replace('"captured":"10000"', '"captured":"abc"');
  expect(await outcome(approveSeen(merchant.tom, { ...form, seenFigures, seenFactsDigest: sha256Hex(seenFigures) }))).toBe("facts_moved");
  expect((await readLog(merchant.id)).at(-1)).toMatchObject({ type: "change.refused", subject: change.id, data: { code: "facts_moved" } });
});

describe("an approval takes effect, or is taken back", () => {
  test("taken back within the undo time: the hold is gone, others' approvals stand, and it may be approved again", async () => {
    const shop = await makeMerchant();
    const order = await makeOrder(shop.id, { lines: [{ quantity: 1, paidMinor: 30_000n }] });
    const change = await stage(shop, order, { amountMinor: 12_000n });
    await approve(shop.tom, change.id);
    await approve(shop.maya, change.id);
    const seen = { changeId: change.id, seenDigest: change.digest };
    expect(await outcome(retractApproval(await shop.admin.ctx(), seen))).toBe("not_your_approval");
    expect((await retractApproval(await shop.tom.ctx(), seen)).verb).toBe("retract");
    expect(await payment(order.paymentId)).toMatchObject({ heldMinor: 0n, stagedMinor: 12_000n });
    expect((await readChange(await shop.tom.ctx(), change.id)).signatures.map(({ name }) => name)).toEqual(["Maya Lindqvist"]);
    expect((await approve(shop.tom, change.id)).verb).toBe("approve");
  });

  test("the worker applies when the undo time is over, and never before; then it is too late", async () => {
    const shop = await makeMerchant(ONE_IS_ENOUGH);
    const change = await stage(shop, await makeOrder(shop.id));
    await setClock(database.ownerUrl, "2040-01-01T12:00:00.000Z");
    const fresh = await stage(shop, await makeOrder(shop.id));
    await approve(shop.tom, fresh.id);
    await runDueJobs();
    expect(await stateOf(fresh.id)).toBe("approved");
    expect(await stateOf(change.id)).toBe("expired");
    await setClock(database.ownerUrl, "2040-01-01T12:00:08.000Z");
    await Promise.all([runDueJobs(), runDueJobs()]);
    expect(await stateOf(fresh.id)).toBe("applied");
    expect(await outcome(retractApproval(await shop.tom.ctx(), { changeId: fresh.id, seenDigest: fresh.digest }))).toBe("too_late_to_retract");
    await setClock(database.ownerUrl, null);
  });

  test("a dispute after the approval: refused at apply, the hold released, and paid on a retry once it is gone", async () => {
    const shop = await makeMerchant({ ...ONE_IS_ENOUGH, undo_seconds: 1 });
    const order = await makeOrder(shop.id);
    const change = await stage(shop, order, { amountMinor: 5000n });
    const { effectiveAt } = await approve(shop.tom, change.id);
    await everyMerchant().$executeRaw`UPDATE payment SET disputed_minor = 6000 WHERE id = ${order.paymentId}`;
    await setClock(database.ownerUrl, effectiveAt!.toISOString());
    await runDueJobs();
    expect((await readLog(shop.id)).at(-1)).toMatchObject({ type: "change.failed", actor: { id: shop.tom.personId }, data: { cause: "guardrail_violation", rule: "refundable_remainder", cap: "4000", actual: "5000" } });
    expect(await payment(order.paymentId)).toMatchObject({ heldMinor: 0n, refundedMinor: 0n });
    const seen = { changeId: change.id, seenDigest: change.digest };
    expect(await outcome(retryChange(await shop.tom.ctx(), seen))).toBe("guardrail_violation");
    await everyMerchant().$executeRaw`UPDATE payment SET disputed_minor = 0 WHERE id = ${order.paymentId}`;
    expect((await retryChange(await shop.maya.ctx(), seen)).verb).toBe("retry");
    expect((await payment(order.paymentId)).refundedMinor).toBe(5000n);
    await setClock(database.ownerUrl, null);
  });

  test("the pause flag, thrown between approval and apply: not applied, the cause in the log; what failed is withdrawn", async () => {
    const shop = await makeMerchant({ ...ONE_IS_ENOUGH, undo_seconds: 1 });
    const change = await stage(shop, await makeOrder(shop.id));
    const { effectiveAt } = await approve(shop.tom, change.id);
    await pauseMerchant(await shop.admin.ctx(), { reason: "Too many at once." });
    await setClock(database.ownerUrl, effectiveAt!.toISOString());
    await runDueJobs();
    await setClock(database.ownerUrl, null);
    expect(await stateOf(change.id)).toBe("failed");
    expect((await readLog(shop.id)).at(-1)).toMatchObject({ type: "change.failed", data: { rule: "paused" } });
    expect(await outcome(stage(shop, await makeOrder(shop.id)))).toBe("guardrail_violation");
    expect((await withdrawFailed(await shop.tom.ctx(), { changeId: change.id, seenDigest: change.digest })).verb).toBe("withdraw");
  });
});

test("what is not this merchant's is not there: reading and deciding alike", async () => {
  const other = await makeMerchant();
  const change = await stage(merchant, await makeOrder(merchant.id));
  const form = await look(merchant.tom, change.id);
  for (const changeId of [change.id, "chg-AAAAAAAAAA"]) {
    expect(await outcome(readChange(await other.tom.ctx(), changeId))).toBe("not_found");
    expect(await outcome(approveSeen(other.tom, { ...form, changeId }))).toBe("not_found");
    expect((await readLog(other.id)).at(-1)).toMatchObject({ type: "change.refused", subject: other.tom.personId, data: { code: "not_found" } });
  }
});
