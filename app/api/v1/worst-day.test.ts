import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runDueJobs } from "@/lib/jobs/run";
import { setClock, testDatabase, type TestDatabase } from "@/lib/testing/database";
import { makeMerchant, makeOrder, readLog, type TestMerchant, type TestOrder } from "@/lib/testing/factories";
import { killNow, startApi, type Program } from "@/lib/testing/load/processes";
import { everyMerchant } from "@/lib/testing/owner";
import { apiClient, sessionWith, type Client } from "./test-client";

const HOUR = 3_600_000;

let database: TestDatabase;
let merchant: TestMerchant;
let order: TestOrder;
let call: Client;
let session: { "undersigned-session": string };
const programs: Program[] = [];
beforeAll(async () => {
  database = await testDatabase();
  merchant = await makeMerchant();
  order = await makeOrder(merchant.id, { lines: [{ quantity: 1, paidMinor: 30_000n }] });
  call = apiClient(merchant.agent.secret);
  session = await sessionWith(call, order.id);
});
afterEach(() => setClock(database.ownerUrl, null));
afterAll(() => Promise.all(programs.map(({ child }) => killNow(child))));

const byAmount = (amountMinor: string, orderId = order.id) => ({ kind: "refund", orderId, amount: { amountMinor, currency: "GBP" }, reason: "damaged" });
const clockAt = (at: number) => setClock(database.ownerUrl, new Date(at).toISOString());
const start = async (): Promise<Program> => { const program = await startApi({}); programs.push(program); return program; };

type Sent = { status: number; id?: string; replayed: boolean } | "no answer";
async function send({ url }: Program, key: string, body: unknown, header = session): Promise<Sent> {
  const headers = { authorization: `Bearer ${merchant.agent.secret}`, "content-type": "application/json", "idempotency-key": key, ...header };
  const answer = await fetch(`${url}/api/v1/changes`, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => null);
  if (!answer) return "no answer";
  const json = (await answer.json()) as { id?: string };
  return { status: answer.status, id: json.id, replayed: answer.headers.get("idempotency-replayed") === "true" };
}

describe("Idempotency-Key", () => {
  test("across two processes, at once and in turn: one change, one answer; another body is a mismatch on either", async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const sessions = [session, await sessionWith(call, order.id)];
    for (const key of ["a", "b", "c"]) {
      const answers = await Promise.all([send(one!, key, byAmount("10"), sessions[0]), send(two!, key, byAmount("10"), sessions[1])]);
      const again = await send(two!, key, byAmount("10"));
      const staged = [...answers, again].filter((each) => each !== "no answer");
      expect(new Set(staged.map(({ status, id }) => `${status} ${id}`)).size).toBe(1);
      expect(staged.filter(({ replayed }) => replayed)).toHaveLength(2);
      expect(await send(one!, key, byAmount("11"))).toMatchObject({ status: 422 });
      expect(await send(two!, key, byAmount("11"))).toMatchObject({ status: 422 });
    }
  });

  test("a process killed between commit and answer: the next one gives the answer that was lost", async () => {
    const [dying, other] = await Promise.all([start(), start()]);
    const before = await everyMerchant().change.count();
    const { sent } = await inFlight(() => send(dying!, "cut", byAmount("12")), async () => void dying!.child.kill("SIGSTOP"));
    await expect.poll(() => everyMerchant().change.count(), { timeout: 20_000 }).toBe(before + 1); // committed, and nobody reads the answer
    await killNow(dying!.child);
    expect(await sent).toBe("no answer");
    const told = await send(other!, "cut", byAmount("12"), await sessionWith(call, order.id));
    expect(told).toMatchObject({ status: 201, replayed: true });
    expect(await everyMerchant().change.count()).toBe(before + 1);
  });

  test("a process killed while its write waits: sent again, there is one change, whether the first was committed or not", async () => {
    const [dying, other] = await Promise.all([start(), start()]);
    const before = await everyMerchant().change.count();
    const { sent } = await inFlight(() => send(dying!, "cut-early", byAmount("13")), () => killNow(dying!.child));
    expect(await sent).toBe("no answer");
    const told = await send(other!, "cut-early", byAmount("13"), await sessionWith(call, order.id));
    expect(told).toMatchObject({ status: 201 });
    expect(await send(other!, "cut-early", byAmount("13"))).toMatchObject({ status: 201, replayed: true });
    expect(await everyMerchant().change.count()).toBe(before + 1);
  });

  test("25 hours later: a refusal is judged anew, a 201 is told for ever", async () => {
    const began = Date.now();
    const keys = { refused: { "idempotency-key": randomUUID() }, staged: { "idempotency-key": randomUUID() } };
    const poor = await makeOrder(merchant.id, { lines: [{ quantity: 1, paidMinor: 100n }] });
    const first = await sessionWith(call, poor.id, order.id);
    const refused = await call("POST", "/changes", byAmount("150", poor.id), { ...first, ...keys.refused });
    const staged = await call("POST", "/changes", byAmount("14"), { ...first, ...keys.staged });
    expect([refused.json.code, staged.status]).toEqual(["guardrail_violation", 201]);
    await everyMerchant().payment.updateMany({ where: { id: poor.paymentId }, data: { capturedMinor: 200n } });
    await clockAt(began + 23 * HOUR);
    const sameDay = await call("POST", "/changes", byAmount("150", poor.id), { ...(await sessionWith(call, poor.id)), ...keys.refused });
    expect([sameDay.text, sameDay.headers.get("idempotency-replayed")]).toEqual([refused.text, "true"]);
    await clockAt(began + 25 * HOUR);
    const anew = await call("POST", "/changes", byAmount("150", poor.id), { ...(await sessionWith(call, poor.id)), ...keys.refused });
    expect([anew.status, anew.headers.get("idempotency-replayed")]).toEqual([201, null]);
    for (const later of [25, 24 * 400]) {
      await clockAt(began + later * HOUR);
      const told = await call("POST", "/changes", byAmount("14"), { ...first, ...keys.staged });
      expect([told.status, told.text, told.headers.get("idempotency-replayed")]).toEqual([201, staged.text, "true"]);
    }
  });
});

test("1,000 refusals of one key in a minute: the log grows by 61", async () => {
  const shop = await makeMerchant();
  const theirs = apiClient(shop.agent.secret);
  const minute = Math.ceil(Date.now() / 60_000) * 60_000;
  await clockAt(minute + 1000);
  const sessions = await Promise.all(Array.from({ length: 10 }, () => sessionWith(theirs)));
  const before = (await readLog(shop.id)).length;
  await Promise.all(sessions.map(async (header) => {
    for (let n = 0; n < 100; n++) expect((await theirs("POST", "/changes/chg-AAAAAAAAAA/withdraw", undefined, header)).status).toBe(404);
  }));
  expect((await readLog(shop.id)).length - before).toBe(60);
  await clockAt(minute + 61_000);
  await runDueJobs();
  await runDueJobs();
  const log = (await readLog(shop.id)).slice(before);
  expect(log).toHaveLength(61);
  expect(log.at(-1)).toMatchObject({ type: "change.refused", actor: { id: "worker" }, data: { code: "rate_closed", verb: "every", count: 940 } });
}, 120_000);

/** Sends a write that waits for its merchant's log, does something to its process meanwhile, and lets the log go. */
async function inFlight(request: () => Promise<Sent>, meanwhile: () => Promise<unknown>): Promise<{ sent: Promise<Sent> }> {
  let sent: Promise<Sent> | undefined;
  await everyMerchant().$transaction(async (db) => {
    await db.$queryRaw`SELECT 1 FROM head WHERE merchant_id = ${merchant.id} FOR UPDATE`;
    sent = request();
    const waiting = async () => {
      await db.$executeRaw`SELECT pg_stat_clear_snapshot()`; // a transaction sees connections as they were when it first looked
      const [row] = await db.$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()`;
      return row!.n;
    };
    await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThan(0);
    await meanwhile();
  }, { timeout: 30_000 });
  return { sent: sent! };
}
