import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../../lib/testing/database";
import { makeMerchant, makeOrder, readLog, type TestMerchant, type TestOrder } from "../../../lib/testing/factories";
import { propose } from "../../../lib/testing/people";
import { apiClient, sessionWith, type Client } from "./test-client";

// `supersedes` over HTTP: both or neither, once, and told by cause.

let merchant: TestMerchant;
let order: TestOrder;
let call: Client;
let session: Record<string, string>;
beforeAll(async () => {
  await testDatabase();
  merchant = await makeMerchant();
  order = await makeOrder(merchant.id);
  call = apiClient(merchant.agent.secret);
  session = await sessionWith(call, order.id);
});

const stage = (amountMinor: string, more: object = {}, headers: Record<string, string> = {}, query = "") =>
  call("POST", `/changes${query}`, { kind: "refund", orderId: order.id, amount: { amountMinor, currency: "GBP" }, reason: "damaged", ...more }, { ...session, "idempotency-key": randomUUID(), ...headers });
const stateOf = async (id: unknown) => (await call("GET", `/changes/${String(id)}`)).json.state;

test("the old one is withdrawn and the new one is told; again under its key it is the same answer, for ever", async () => {
  const old = (await stage("5000")).json;
  expect((await stage("4000", { supersedes: old.id }, {}, "?dryRun=true")).status).toBe(200);
  expect(await stateOf(old.id)).toBe("staged");
  const key = { "idempotency-key": randomUUID() };
  const now = await stage("4000", { supersedes: old.id }, key);
  expect(now).toMatchObject({ status: 201, json: { state: "staged", content: { total: "4000", supersedes: old.id } } });
  expect(await stateOf(old.id)).toBe("withdrawn");
  const size = (await readLog(merchant.id)).length;
  expect(await stage("4000", { supersedes: old.id }, key)).toMatchObject({ status: 201, json: now.json });
  expect((await stage("4001", { supersedes: old.id }, key)).json.code).toBe("idempotency_mismatch");
  expect((await readLog(merchant.id)).slice(size).filter(({ type }) => type !== "change.refused")).toEqual([]);
});

test("each refusal has its cause, and leaves what was to be replaced as it was", async () => {
  const old = (await stage("5000")).json;
  const persons = await propose(merchant.maya, order);
  const code = async (supersedes: unknown, amount = "1") => (await stage(amount, { supersedes })).json.code;
  expect(await code("chg-0000000000")).toBe("not_found");
  expect(await code(persons.id)).toBe("not_found");
  expect(await code(7)).toBe("invalid_input");
  expect(await code(old.id, "50001")).toBe("guardrail_violation");
  expect(await stateOf(old.id)).toBe("staged");
  await call("POST", `/changes/${String(old.id)}/withdraw`, undefined, session);
  expect(await code(old.id)).toBe("change_already_withdrawn");
});
