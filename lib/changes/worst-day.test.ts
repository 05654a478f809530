import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Refusal } from "../kernel/refusal";
import { publishPolicy } from "../guardrails/publish";
import { DEFAULT_RULES } from "../guardrails/schema";
import { rotateKey } from "../identity/agents";
import { addMember, changeRole, removeMember } from "../identity/members";
import { endSignIn, openSignIn } from "../identity/sign-ins";
import { runDueJobs } from "../jobs/run";
import { setClock, testDatabase, type TestDatabase } from "../testing/database";
import { approve, connectPlatform, look, makeMerchant, makeOrder, readLog, stage, type TestMerchant, type TestPerson } from "../testing/factories";
import { startLossyPlatform, type LossyPlatform } from "../testing/lossy-platform/start";
import { everyMerchant } from "../testing/owner";
import { fsckMerchant } from "../log/fsck";
import { readChangeShape } from "./agent-queries";
import { applyChange } from "./apply";
import { approveChange } from "./approve";
import { readChange } from "./queries";
import { listChanges } from "./queue";
import { rejectChange } from "./reject";
import { retryChange } from "./retry";

// What must come out right when clocks, people and answers do not.

const ONE_IS_ENOUGH = { refund_approvals: [{ approvals: 1 }] };
const HOUR = 3_600_000;
const FAR = new Date("2099-01-01T00:00:00.000Z");

let database: TestDatabase;
let lossy: LossyPlatform;
beforeAll(async () => {
  database = await testDatabase();
  lossy = await startLossyPlatform();
});
afterEach(() => setClock(database.ownerUrl, null));
afterAll(() => lossy.stop());

const outcome = (work: Promise<unknown>): Promise<string> => work.then(() => "done", (error: unknown) => { if (error instanceof Refusal) return error.code; throw error; });
const stateOf = async (id: string) => (await everyMerchant().change.findFirstOrThrow({ where: { id } })).state;
const clockAt = (at: number) => setClock(database.ownerUrl, new Date(at).toISOString());
const memberOf = async (merchantId: string, { personId }: TestPerson) => (await everyMerchant().member.findFirstOrThrow({ where: { merchantId, personId } })).id;
const signedIn = async (merchant: TestMerchant, personId: string): Promise<TestPerson> => {
  const { signInId } = await openSignIn(merchant.id, personId, FAR);
  const actor = { kind: "person", id: personId, role: "operator", signInId } as const;
  return { personId, actor, ctx: async () => ({ ...(await merchant.tom.ctx()), actor }) };
};
const inOrder = (log: readonly { seq: number }[]) => expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));

describe("clocks", () => {
  test("expiresAt passes and no job runs: no approval, no rejection, and the worker only says so", async () => {
    const merchant = await makeMerchant(ONE_IS_ENOUGH);
    const began = Date.now();
    const { id } = await stage(merchant, await makeOrder(merchant.id), { expiresAt: new Date(began + 2 * HOUR).toISOString() });
    const form = await look(merchant.tom, id);
    await clockAt(began + 2 * HOUR);
    expect(await outcome(approveChange(await merchant.tom.ctx(), form))).toBe("change_already_expired");
    expect(await outcome(rejectChange(await merchant.tom.ctx(), { changeId: id, seenDigest: form.seenDigest, code: "other", reason: "late" }))).toBe("change_already_expired");
    expect(await stateOf(id)).toBe("staged");
    await runDueJobs();
    expect(await stateOf(id)).toBe("expired");
  });

  test("approved, and expired before it took effect: nothing is paid", async () => {
    const merchant = await makeMerchant({ ...ONE_IS_ENOUGH, undo_seconds: 3600 });
    const began = Date.now();
    const { id } = await stage(merchant, await makeOrder(merchant.id), { expiresAt: new Date(began + HOUR / 2).toISOString() });
    await approve(merchant.tom, id);
    await clockAt(began + 2 * HOUR);
    await runDueJobs();
    expect(await stateOf(id)).toBe("expired");
    expect(await everyMerchant().payment.findFirstOrThrow({ where: { merchantId: merchant.id } })).toMatchObject({ heldMinor: 0n, refundedMinor: 0n });
  });

  test("set back an hour: approvals take effect by the new clock, what expired stays so, the log keeps its order", async () => {
    const merchant = await makeMerchant(ONE_IS_ENOUGH);
    const began = Date.now();
    const order = await makeOrder(merchant.id);
    const [old, kept] = [await stage(merchant, order, { expiresAt: new Date(began + HOUR).toISOString() }), await stage(merchant, order)];
    await clockAt(began + 2 * HOUR);
    const last = await stage(merchant, order); // the log has seen this hour
    await clockAt(began + HOUR / 2);
    expect(await outcome(approve(merchant.tom, old.id))).toBe("change_already_expired");
    const { effectiveAt, at } = await approve(merchant.tom, kept.id);
    expect(effectiveAt!.getTime()).toBe(began + HOUR / 2 + 8000);
    expect(at.getTime()).toBe(began + 2 * HOUR);
    await runDueJobs();
    expect(await stateOf(kept.id)).toBe("approved");
    await clockAt(began + HOUR / 2 + 8000);
    await runDueJobs();
    expect([await stateOf(kept.id), await stateOf(last.id)]).toEqual(["applied", "staged"]);
    const log = await readLog(merchant.id);
    inOrder(log);
    const times = log.map((entry) => (entry as unknown as { at: string }).at);
    expect(times).toEqual(times.toSorted());
  });
});

describe("people in the middle of deciding", () => {
  test("removed, demoted, signed out elsewhere: none decides any more, and the change waits", async () => {
    const merchant = await makeMerchant(ONE_IS_ENOUGH);
    const { id } = await stage(merchant, await makeOrder(merchant.id));
    const [tom, maya] = [await look(merchant.tom, id), await look(merchant.maya, id)];
    const [tomCtx, mayaCtx] = [await merchant.tom.ctx(), await merchant.maya.ctx()];
    await removeMember(await merchant.admin.ctx(), { memberId: await memberOf(merchant.id, merchant.tom) });
    expect(await outcome(approveChange(tomCtx, tom))).toBe("unauthenticated");
    await changeRole(await merchant.admin.ctx(), { memberId: await memberOf(merchant.id, merchant.maya), role: "auditor" });
    expect(await outcome(approveChange(mayaCtx, maya))).toBe("forbidden");
    expect((await readLog(merchant.id)).at(-1)).toMatchObject({ type: "change.refused", actor: { id: merchant.maya.personId }, data: { code: "forbidden", verb: "approve" } });
    await changeRole(await merchant.admin.ctx(), { memberId: await memberOf(merchant.id, merchant.maya), role: "operator" });
    await endSignIn({ merchantId: merchant.id, signInId: merchant.maya.actor.signInId });
    expect(await outcome(approveChange(mayaCtx, maya))).toBe("unauthenticated");
    expect(await stateOf(id)).toBe("staged");
  });

  test("a cookie of an earlier role governs nothing; one of before a removal opens nothing after coming back", async () => {
    const merchant = await makeMerchant(ONE_IS_ENOUGH);
    const admin = await merchant.tom.ctx();
    const memberId = await memberOf(merchant.id, merchant.tom);
    await changeRole(await merchant.admin.ctx(), { memberId, role: "admin" });
    const asAdmin = { ...admin, actor: { ...admin.actor, role: "admin" as const } };
    await publishPolicy(asAdmin, { ...DEFAULT_RULES, undo_seconds: 5 });
    await changeRole(await merchant.admin.ctx(), { memberId, role: "operator" });
    expect(await outcome(publishPolicy(asAdmin, DEFAULT_RULES))).toBe("forbidden");
    await removeMember(await merchant.admin.ctx(), { memberId });
    const { email, name } = await everyMerchant().person.findFirstOrThrow({ where: { id: merchant.tom.personId } });
    await addMember(await merchant.admin.ctx(), { email, name, role: "operator" });
    const { id } = await stage(merchant, await makeOrder(merchant.id));
    expect(await outcome(approve(merchant.tom, id))).toBe("unauthenticated");
  });

  test("removed and approving at once: whichever comes first, nobody signs after their removal", async () => {
    for (let round = 0; round < 5; round++) {
      const merchant = await makeMerchant(ONE_IS_ENOUGH);
      const { id } = await stage(merchant, await makeOrder(merchant.id));
      const [ctx, form, memberId] = [await merchant.tom.ctx(), await look(merchant.tom, id), await memberOf(merchant.id, merchant.tom)];
      const [approved] = await Promise.all([outcome(approveChange(ctx, form)), removeMember(await merchant.admin.ctx(), { memberId })]);
      const types = (await readLog(merchant.id)).map(({ type }) => type);
      expect(types.lastIndexOf("change.approved")).toBeLessThan(types.indexOf("member.removed"));
      expect(types.includes("change.approved")).toBe(approved === "done");
    }
  });
});

describe("an endorsement counts as long as its person may decide", () => {
  const leaves: [string, (merchant: TestMerchant, memberId: string) => Promise<void>][] = [
    ["removed", async (merchant, memberId) => removeMember(await merchant.admin.ctx(), { memberId })],
    ["made an auditor", async (merchant, memberId) => changeRole(await merchant.admin.ctx(), { memberId, role: "auditor" })],
  ];
  test.each(leaves)("%s: the change waits for another, everywhere it is shown, and a failed one is not tried again", async (_, leave) => {
    const merchant = await makeMerchant({ refund_approvals: [{ approvals: 2 }], undo_seconds: 60 });
    const third = await addMember(await merchant.admin.ctx(), { email: `third@${merchant.id.slice(4).toLowerCase()}.example`, name: "Ada Third", role: "operator" });
    const ada: TestPerson = await signedIn(merchant, third.personId);
    const [waiting, failed] = [await stage(merchant, await makeOrder(merchant.id)), await stage(merchant, await makeOrder(merchant.id))];
    await approve(merchant.tom, waiting.id);
    for (const person of [merchant.tom, merchant.maya]) await approve(person, failed.id);
    await everyMerchant().payment.updateMany({ where: { merchantId: merchant.id, heldMinor: { gt: 0 } }, data: { disputedMinor: 9_500n } });
    await clockAt(Date.now() + HOUR);
    await applyChange(merchant.id, failed.id);
    await everyMerchant().payment.updateMany({ where: { merchantId: merchant.id }, data: { disputedMinor: 0n } });
    await leave(merchant, await memberOf(merchant.id, merchant.tom));

    expect(await outcome(retryChange(await ada.ctx(), await look(ada, failed.id)))).toBe("quorum_not_met");
    expect(await readChange(await ada.ctx(), waiting.id)).toMatchObject({ have: 0, signatures: [] });
    expect((await readChangeShape(await merchant.agent.ctx(), waiting.id)).approvals).toEqual([]);
    expect((await listChanges(await ada.ctx(), { view: "second" })).items).toEqual([]);
    expect(await approve(merchant.maya, waiting.id)).toMatchObject({ verb: "endorse" });
    expect(await approve(ada, waiting.id)).toMatchObject({ verb: "approve" });
    expect((await fsckMerchant(merchant.id)).findings).toEqual([]);
  });
});

describe("nobody approves their own", () => {
  test("the key's owner, before and after giving the key away, and who made it; the new owner too", async () => {
    const merchant = await makeMerchant(ONE_IS_ENOUGH);
    const order = await makeOrder(merchant.id);
    const before = await stage(merchant, order);
    expect(await outcome(approve(merchant.admin, before.id))).toBe("self_approval");
    await rotateKey(await merchant.admin.ctx(), { keyId: merchant.agent.keyId, ownerId: merchant.maya.personId, expiresAt: FAR });
    const after = await stage(merchant, order);
    expect(await outcome(approve(merchant.admin, before.id))).toBe("self_approval");
    for (const person of [merchant.admin, merchant.maya]) expect(await outcome(approve(person, after.id))).toBe("self_approval");
    expect(await outcome(approve(merchant.tom, after.id))).toBe("done");
  });

  test("one person under two roles and two sign-ins is one signature", async () => {
    const merchant: TestMerchant = await makeMerchant({ refund_approvals: [{ approvals: 2 }] });
    const { id } = await stage(merchant, await makeOrder(merchant.id));
    expect((await approve(merchant.tom, id)).verb).toBe("endorse");
    await changeRole(await merchant.admin.ctx(), { memberId: await memberOf(merchant.id, merchant.tom), role: "admin" });
    const { signInId } = await openSignIn(merchant.id, merchant.tom.personId);
    const again = { ...(await merchant.tom.ctx()), actor: { ...merchant.tom.actor, role: "admin" as const, signInId } };
    const form = await look(merchant.tom, id);
    expect(["done", "already_endorsed"]).toContain(await outcome(approveChange(again, form))); // told again, or refused
    expect(await outcome(approveChange(again, { ...form, seenFactsDigest: "0".repeat(64) }))).toBe("already_endorsed");
    expect([await stateOf(id), (await everyMerchant().decision.count({ where: { changeId: id } }))]).toEqual(["staged", 1]);
    expect((await approve(merchant.maya, id)).verb).toBe("approve");
  });
});

test.each([["at once", 0], ["25 hours later, when the platform has forgotten the key", 25 * HOUR]])("an answer that was lost, asked for again %s: looked up, paid once", async (_when, later) => {
  const merchant = await makeMerchant({ ...ONE_IS_ENOUGH, undo_seconds: 0 });
  await connectPlatform(merchant, { url: lossy.url, secret: "s" });
  const order = await makeOrder(merchant.id, { lines: [{ quantity: 1, paidMinor: 5000n }] });
  await lossy.control({ payments: [{ id: order.paymentId, capturedMinor: "5000" }], faults: ["drop_answer"] });
  const { id } = await stage(merchant, order, { amountMinor: 5000n });
  await approve(merchant.tom, id);
  expect(await stateOf(id)).toBe("applying");
  await lossy.control({ forgetKeys: later > 0 });
  await clockAt(Date.now() + later + 60_000);
  await runDueJobs();
  expect(await stateOf(id)).toBe("applied");
  expect((await lossy.control({})).refunds.filter(({ payment }) => payment === order.paymentId)).toMatchObject([{ amountMinor: "5000" }]);
});
