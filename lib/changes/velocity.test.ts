import { beforeAll, expect, test } from "vitest";
import { Refusal } from "../kernel/refusal";
import { tenant } from "../database/client";
import type { PolicyRules } from "../guardrails/schema";
import { openSession } from "../sessions/open";
import { setClock, testDatabase } from "../testing/database";
import { approve, look, makeMerchant, makeOrder, readLog, stage, type TestMerchant } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { approveChange } from "./approve";
import { judgeRefund } from "./stage";
import { rejectChange } from "./reject";
import { retractApproval } from "./retract";

// Caps of a day and of what waits: exact, however many come at once.

let owner: string;
beforeAll(async () => { owner = (await testDatabase()).ownerUrl; });
const SINGLE: Partial<PolicyRules> = { refund_approvals: [{ approvals: 1 }], undo_seconds: 60 };

const outcome = (work: Promise<unknown>): Promise<string> => work.then(() => "ok", (error: unknown) => {
  if (error instanceof Refusal) return error.more.violations?.map(({ rule }) => rule).join(" ") ?? error.code;
  throw error;
});
const tally = (answers: readonly string[]) => Object.fromEntries([...new Set(answers)].toSorted().map((answer) => [answer, answers.filter((each) => each === answer).length]));
const stageOn = async (merchant: TestMerchant, amountMinor = 100n) => stage(merchant, await makeOrder(merchant.id), { amountMinor });

test("200 at once against agent_daily_changes: exactly to the cap, and the refused ones are told why", async () => {
  const merchant = await makeMerchant({ ...SINGLE, agent_daily_changes: 150 });
  const orders = await Promise.all(Array.from({ length: 200 }, () => makeOrder(merchant.id)));
  const answers = await Promise.all(orders.map((order) => outcome(stage(merchant, order, { amountMinor: 100n }))));
  expect(tally(answers)).toEqual({ agent_daily_changes: 50, ok: 150 });
  const refused = (await readLog(merchant.id)).filter(({ type }) => type === "change.staged");
  expect(refused).toHaveLength(150);
});

test("agent_daily_refund_total is met to the minor unit, counts what was rejected, and begins anew at the merchant's midnight", async () => {
  const merchant = await makeMerchant({ ...SINGLE, agent_daily_refund_total: { GBP: "1000" } });
  await setClock(owner, "2027-07-01T22:59:00.000Z"); // London: a minute to midnight
  try {
    const { id, digest } = await stageOn(merchant, 600n);
    await rejectChange(await merchant.tom.ctx(), { changeId: id, seenDigest: digest, code: "other", reason: "No." });
    expect(await outcome(stageOn(merchant, 401n))).toBe("agent_daily_refund_total");
    expect(await outcome(stageOn(merchant, 400n))).toBe("ok");
    expect(await outcome(stageOn(merchant, 1n))).toBe("agent_daily_refund_total");
    await setClock(owner, "2027-07-01T23:00:00.000Z");
    expect(await outcome(stageOn(merchant, 1000n))).toBe("ok");
  } finally {
    await setClock(owner, null);
  }
});

test("max_pending_per_agent counts what waits now: a decision makes room, taking it back needs it again", async () => {
  const merchant = await makeMerchant({ ...SINGLE, max_pending_per_agent: 2 });
  const { id } = await stageOn(merchant);
  await stageOn(merchant);
  expect(await outcome(stageOn(merchant))).toBe("max_pending_per_agent");
  await approve(merchant.tom, id);
  expect(await outcome(stageOn(merchant))).toBe("ok");
  await retractApproval(await merchant.tom.ctx(), await look(merchant.tom, id));
  expect((await everyMerchant().agent.findFirstOrThrow({ where: { merchantId: merchant.id } })).pending).toBe(3);
  expect(await outcome(stageOn(merchant))).toBe("max_pending_per_agent");
});

test("each agent has a day of its own, and a dry run is judged but not counted", async () => {
  const merchant = await makeMerchant({ ...SINGLE, agent_daily_changes: 1 });
  const ctx = await merchant.agent.ctx();
  const order = await makeOrder(merchant.id);
  const { id } = await openSession(ctx);
  const ask = { kind: "refund", orderId: order.id, reason: "damaged", amount: { amountMinor: "100", currency: "GBP" } } as const;
  await expect(judgeRefund(ctx, id, ask)).rejects.toMatchObject({ code: "not_in_session" });
  await stage(merchant, order, { amountMinor: 100n });
  expect(await everyMerchant().agentDay.findMany({ where: { merchantId: merchant.id } })).toMatchObject([{ agentId: merchant.agent.id, changes: 1, amountMinor: 100n, currency: "GBP" }]);
});

test("operator_daily_approved_total: what one person puts forward in a day, without what they took back", async () => {
  const merchant = await makeMerchant({ ...SINGLE, operator_daily_approved_total: { GBP: "1000" } });
  const [first, second, third] = [await stageOn(merchant, 600n), await stageOn(merchant, 401n), await stageOn(merchant, 400n)];
  await approve(merchant.tom, first.id);
  expect(await outcome(approve(merchant.tom, second.id))).toBe("operator_daily_approved_total");
  expect((await readLog(merchant.id)).at(-1)).toMatchObject({ type: "change.refused", subject: second.id, data: { code: "guardrail_violation", verb: "approve", rule: "operator_daily_approved_total", cap: "1000", actual: "1001" } });
  expect(await outcome(approve(merchant.maya, second.id))).toBe("ok");
  expect(await outcome(approve(merchant.tom, third.id))).toBe("ok");
  const last = await stageOn(merchant, 600n);
  const form = await look(merchant.tom, last.id);
  expect(await outcome(approveChange(await merchant.tom.ctx(), form))).toBe("operator_daily_approved_total");
  await retractApproval(await merchant.tom.ctx(), await look(merchant.tom, first.id));
  expect(await outcome(approveChange(await merchant.tom.ctx(), form))).toBe("ok");
});

test("a change that too few could ever approve is refused at staging with that cause", async () => {
  const merchant = await makeMerchant({ refund_approvals: [{ approvals: 3 }] });
  expect(await outcome(stageOn(merchant))).toBe("eligible_approvers"); // two operators; the admin owns the key
});

test("a counter that the application would move is the owner's: its login may only read it", async () => {
  const merchant = await makeMerchant();
  await stageOn(merchant);
  await expect(tenant(merchant.id).agentDay.updateMany({ data: { changes: 0 } })).rejects.toThrow(/permission denied/);
  await expect(tenant(merchant.id).agent.updateMany({ data: { pending: 0 } })).rejects.toThrow(/permission denied/);
});
