import { beforeAll, beforeEach, expect, test } from "vitest";
import { Refusal } from "../kernel/refusal";
import { pauseMerchant } from "../guardrails/pause";
import { publishPolicy } from "../guardrails/publish";
import { DEFAULT_RULES } from "../guardrails/schema";
import { fsckMerchant } from "../log/fsck";
import { setClock, testDatabase } from "../testing/database";
import { approve, look, makeMerchant, makeOrder, readLog, stage, type TestMerchant, type TestOrder } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { runDueJobs } from "../jobs/run";
import { approveChange } from "./approve";
import { readChange } from "./queries";
import { listChanges } from "./queue";
import { rejectChange } from "./reject";
import { retractApproval } from "./retract";
import { scheduleChange, type ScheduleInput } from "./schedule";

// An approved change set to a time: applied when it is due, never before, and judged then.

let owner: string;
let shop: TestMerchant;
let order: TestOrder;
let id: string;
beforeAll(async () => { owner = (await testDatabase()).ownerUrl; });
beforeEach(async () => {
  await setClock(owner, "2027-03-01T10:00:00.000Z");
  shop = await makeMerchant({ expires_after_hours: 720 });
  order = await makeOrder(shop.id);
  ({ id } = await stage(shop, order, { amountMinor: 5000n }));
});

const code = (work: Promise<unknown>): Promise<string> => work.then(() => "ok", (error: unknown) => { if (error instanceof Refusal) return error.code; throw error; });
const TEN = { local: "2027-03-02T10:00", zone: "Europe/London" };
const approveFor = async (time: { local: string; zone: string }, person = shop.tom) => approveChange(await person.ctx(), { ...(await look(person, id)), ...time });
const set = async (when: Partial<ScheduleInput>, person = shop.maya) =>
  scheduleChange(await person.ctx(), { changeId: id, seenDigest: (await look(person, id)).seenDigest, when: "at", ...TEN, ...when });
const state = async () => (await everyMerchant().change.findFirstOrThrow({ where: { id } })).state;
const at = async (iso: string) => { await setClock(owner, iso); await runDueJobs(); return state(); };
const types = async () => (await readLog(shop.id)).filter(({ subject }) => subject === id).map(({ type }) => type.replace("change.", ""));

test("approved for a time: applied by the worker when it is due and never before, by whoever set it", async () => {
  const decided = await approveFor(TEN);
  expect(decided).toMatchObject({ verb: "approve", effectiveAt: new Date("2027-03-02T10:00:00.000Z") });
  expect(await readChange(await shop.maya.ctx(), id)).toMatchObject({ state: "approved", schedule: { at: "2027-03-02T10:00:00.000Z", ...TEN, by: "Tom Adeyemi", mayChange: true } });
  expect((await listChanges(await shop.maya.ctx(), { view: "scheduled" })).items.map((row) => row.id)).toEqual([id]);
  expect([await at("2027-03-01T10:01:00.000Z"), await at("2027-03-02T09:59:59.999Z"), await at("2027-03-02T10:00:00.000Z")]).toEqual(["approved", "approved", "applied"]);
  expect(await types()).toEqual(["staged", "approved", "scheduled", "applying", "applied"]);
  expect((await readLog(shop.id)).find(({ type }) => type === "change.scheduled")!.data).toEqual({ at: "2027-03-02T10:00:00.000Z" });
  expect((await fsckMerchant(shop.id)).findings).toEqual([]);
});

test("another time, no time, and next: the last one holds", async () => {
  await approveFor(TEN);
  await set({ local: "2027-03-01T12:00", zone: "Asia/Tokyo", when: "none" });
  expect((await readChange(await shop.maya.ctx(), id)).schedule).toMatchObject({ at: null, mayChange: true });
  expect(await at("2027-03-05T10:00:00.000Z")).toBe("approved");
  expect(await code(set({ local: "2027-03-05T18:59", zone: "Asia/Tokyo" }))).toBe("invalid_input"); // passed
  await set({ local: "2027-03-05T20:00", zone: "Asia/Tokyo" });
  await set({ when: "next" });
  expect([await at("2027-03-05T10:00:07.000Z"), await at("2027-03-05T10:00:08.000Z")]).toEqual(["approved", "applied"]);
  expect(await types()).toEqual(["staged", "approved", "scheduled", "scheduled", "refused", "scheduled", "scheduled", "applying", "applied"]);
  expect((await fsckMerchant(shop.id)).findings).toEqual([]);
});

test("until then it is taken back by its approver, or rejected; the time is gone with it", async () => {
  await approveFor(TEN);
  await retractApproval(await shop.tom.ctx(), await look(shop.tom, id));
  expect([await state(), await at("2027-03-02T11:00:00.000Z")]).toEqual(["staged", "staged"]);
  await approveFor({ local: "2027-03-04T10:00", zone: "Europe/London" });
  await rejectChange(await shop.maya.ctx(), { ...(await look(shop.maya, id)), code: "other", reason: "No." });
  expect(await at("2027-03-04T11:00:00.000Z")).toBe("rejected");
});

test.each([
  ["a time that clocks skip", { local: "2027-03-28T01:30" }], ["a time that comes twice", { local: "2027-10-31T01:30" }], ["a time that has passed", { local: "2027-03-01T09:59" }],
  ["no time", { local: "soon" }], ["no such zone", { zone: "Europe/Atlantis" }], ["after it expires", { local: "2027-03-31T11:01" }],
] as const)("refused, and nothing is written: %s", async (_, time) => {
  expect(await code(approveFor({ ...TEN, ...time }))).toBe("invalid_input");
  expect((await readLog(shop.id)).at(-1)).toMatchObject({ type: "change.refused", subject: id, data: { code: "invalid_input", verb: "approve" } });
  await approveFor(TEN);
  const before = await types();
  expect(await code(set(time))).toBe("invalid_input");
  expect((await types()).filter((type) => type !== "refused")).toEqual(before.filter((type) => type !== "refused"));
});

test("who may not approve it may not time it, nor who decides nothing; nor what is not approved, or has taken effect", async () => {
  expect(await code(set({}))).toBe("not_approved");
  await approveFor(TEN);
  expect([await code(set({}, shop.admin)), await code(set({}, shop.auditor))]).toEqual(["self_approval", "forbidden"]);
  await setClock(owner, "2027-03-02T10:00:00.000Z");
  expect(await code(set({ local: "2027-03-03T10:00" }))).toBe("too_late_to_schedule");
  await runDueJobs();
  expect(await code(set({ local: "2027-03-03T10:00" }))).toBe("change_already_applied");
});

test("the same form again is one: a time, none, and next, which puts nothing off", async () => {
  await approveFor(TEN);
  for (const when of ["at", "none", "next"] as const) {
    const form = { changeId: id, seenDigest: (await look(shop.maya, id)).seenDigest, when, ...(when === "at" && { ...TEN, local: "2027-03-03T10:00" }) };
    const before = (await types()).length;
    const first = await scheduleChange(await shop.maya.ctx(), form);
    await setClock(owner, new Date(Date.parse("2027-03-01T10:00:00.000Z") + 4000).toISOString());
    expect([await scheduleChange(await shop.maya.ctx(), form), (await types()).length - before]).toEqual([first, 1]);
    await setClock(owner, "2027-03-01T10:00:00.000Z");
  }
});

test("an approval for a time is not the approval at once that was sent before", async () => {
  const form = await look(shop.tom, id);
  await approveChange(await shop.tom.ctx(), form);
  expect(await code(approveChange(await shop.tom.ctx(), { ...form, ...TEN }))).toBe("change_already_approved");
  expect((await approveChange(await shop.tom.ctx(), form)).verb).toBe("approve");
});

test("a chosen time leaves the undo time to take it back in", async () => {
  await setClock(owner, "2027-03-01T09:59:53.000Z");
  expect(await code(approveFor({ ...TEN, local: "2027-03-01T10:00" }))).toBe("invalid_input");
  await setClock(owner, "2027-03-01T09:59:52.000Z");
  expect(await code(approveFor({ ...TEN, local: "2027-03-01T10:00" }))).toBe("ok");
});

test("only the last signature sets the time", async () => {
  ({ id } = await stage(shop, await makeOrder(shop.id, { lines: [{ quantity: 1, paidMinor: 40_000n }] }), { amountMinor: 20_000n }));
  expect(await code(approveFor(TEN))).toBe("not_approved");
  await approve(shop.tom, id);
  await approveFor(TEN, shop.maya);
  expect(await types()).toEqual(["staged", "refused", "endorsed", "approved", "scheduled"]);
});

test.each([
  ["the switch thrown", async () => pauseMerchant(await shop.admin.ctx(), { reason: "Stop." }), { cause: "guardrail_violation", rule: "paused" }],
  ["a cap lowered", async () => { await publishPolicy(await shop.admin.ctx(), { ...DEFAULT_RULES, max_refund_amount: { GBP: "4999" } }); }, { cause: "guardrail_violation", rule: "max_refund_amount", cap: "4999", actual: "5000" }],
  ["a dispute opened", async () => { await everyMerchant().payment.updateMany({ where: { id: order.paymentId }, data: { disputedMinor: 5001n } }); }, { cause: "guardrail_violation", rule: "refundable_remainder" }],
])("judged when it is due: %s before the time, and it is not applied, with its cause in the log", async (_, happens, cause) => {
  await approveFor(TEN);
  await happens();
  expect(await at("2027-03-02T10:00:00.000Z")).toBe("failed");
  expect((await readLog(shop.id)).at(-1)).toMatchObject({ type: "change.failed", subject: id, data: cause });
  expect((await everyMerchant().payment.findFirstOrThrow({ where: { id: order.paymentId } })).refundedMinor).toBe(0n);
  expect((await fsckMerchant(shop.id)).findings).toEqual([]);
});

test("it is carried out, and fails, as whoever set its time last, also where that was to apply it next", async () => {
  await approveFor(TEN);
  await set({ when: "next" });
  await pauseMerchant(await shop.admin.ctx(), { reason: "Stop." });
  expect(await at("2027-03-01T10:00:08.000Z")).toBe("failed");
  expect((await readLog(shop.id)).at(-1)).toMatchObject({ type: "change.failed", actor: { id: shop.maya.personId } });
  expect((await fsckMerchant(shop.id)).findings).toEqual([]);
});

test("at no time for good: it expires like any other", async () => {
  await approveFor(TEN);
  await set({ when: "none" });
  expect(await at("2027-03-31T10:00:00.000Z")).toBe("expired");
});
