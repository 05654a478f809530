import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { stageRefund } from "@/lib/changes/stage";
import { withdrawOwn } from "@/lib/changes/withdraw";
import { revokeKey, rotateKey } from "@/lib/identity/agents";
import { sql, testDatabase, type TestDatabase } from "@/lib/testing/database";
import { everyMerchant } from "@/lib/testing/owner";
import { apiClient, sessionWith, type Client } from "./test-client";
import { makeMerchant, makeOrder, readLog, type TestMerchant, type TestOrder } from "@/lib/testing/factories";

let database: TestDatabase;
let merchant: TestMerchant;
let other: TestMerchant;
let order: TestOrder;
let call: Client;
let session: { "undersigned-session": string };

beforeAll(async () => {
  database = await testDatabase();
  merchant = await makeMerchant();
  other = await makeMerchant();
  order = await makeOrder(merchant.id, { lines: [{ quantity: 4, paidMinor: 2000n }, { quantity: 1, paidMinor: 8000n }], shippingMinor: 350n });
  call = apiClient(merchant.agent.secret);
  session = await sessionWith(call, order.id);
});

const byAmount = (amountMinor: unknown, more: object = {}) => ({ kind: "refund", orderId: order.id, amount: { amountMinor, currency: "GBP" }, reason: "damaged", ...more });
const stage = (body: unknown, headers: Record<string, string> = {}, query = "") => call("POST", `/changes${query}`, body, { ...session, "idempotency-key": randomUUID(), ...headers });
const logSize = async () => (await readLog(merchant.id)).length;

describe("shapes", () => {
  test("a refund by lines and shipping, priced by the server", async () => {
    const { status, json } = await stage({ kind: "refund", orderId: order.id, lines: [{ lineId: order.lineIds[0], quantity: 3, restock: "returned" }], shipping: { amountMinor: "350" }, reason: "not_as_described", note: "two were chipped", evidence: [{ label: "photo", text: "ticket 4" }] });
    expect(status).toBe(201);
    expect(Object.keys(json).toSorted()).toEqual(["approvals", "content", "createdAt", "digest", "expiresAt", "id", "kind", "required", "revision", "state", "verdict"]);
    expect(json).toMatchObject({ kind: "refund", state: "staged", revision: 1, required: 1, approvals: [], verdict: { outcome: "needs_approvals", required: 1, policy: 1 } });
    expect(json.content).toMatchObject({
      total: "1850", currency: "GBP", order: order.id, note: "two were chipped", supersedes: null,
      items: [{ target: order.lineIds[0], field: "refunded", before: "0", after: "1500", quantity: 3, restock: "returned" }, { target: order.id, field: "shipping", before: "0", after: "350" }],
    });
    expect((await call("GET", `/changes/${String(json.id)}`)).json).toEqual(json);
  });

  test("an order, a list of them, the policy", async () => {
    const { json } = await call("GET", `/orders/${order.id}`);
    expect(json).toMatchObject({ id: order.id, number: order.number, currency: "GBP", customerId: null, shippingMinor: "350", payment: { id: order.paymentId, capturedMinor: "10350", refundedMinor: "0", heldMinor: "0", disputedMinor: "0", refundableMinor: "10350" } });
    expect((json.lines as unknown[])[0]).toEqual({ id: order.lineIds[0], title: "Product 0", quantity: 4, paidMinor: "2000", refundedMinor: "0" });
    const listed = await call("GET", `/orders?query=${order.number}`);
    expect(listed.json).toMatchObject({ items: [{ id: order.id }], nextCursor: null });
    expect((await call("GET", "/policy")).json).toMatchObject({ version: 1, rules: { max_refund_amount: { GBP: "50000" } } });
  });

  test("a dry run gives the verdict, also a refusing one, and stores nothing", async () => {
    const before = await logSize();
    expect((await stage(byAmount("100"), {}, "?dryRun=true")).json).toMatchObject({ verdict: { outcome: "needs_approvals" } });
    const { status, json } = await stage(byAmount("999999"), {}, "?dryRun=true");
    expect([status, (json.verdict as { outcome: string }).outcome]).toEqual([200, "refuse"]);
    expect(await logSize()).toBe(before);
  });

  test("a guardrail names every violation with cap and actual", async () => {
    const { status, json } = await stage(byAmount("60000"));
    expect([status, json.code]).toEqual([422, "guardrail_violation"]);
    expect(json.violations).toEqual([
      { rule: "max_refund_amount", path: "/amount", cap: "50000", actual: "60000" },
      { rule: "refundable_remainder", path: "/amount", cap: "10350", actual: "60000" },
    ]);
    expect((await readLog(merchant.id)).at(-1)).toMatchObject({ type: "change.refused", subject: session["undersigned-session"], data: { code: "guardrail_violation", verb: "stage", rule: "max_refund_amount", cap: "50000", actual: "60000" } });
  });
});

describe("amounts are exact or refused by cause", () => {
  test.each(["-1", "0", "-0", "NaN", "", "12.5", "01", " 1", "1e3", "12345678901234567"])("the string %j", async (amountMinor) => {
    const { status, json } = await stage(byAmount(amountMinor));
    expect([status, json.code]).toEqual([422, "invalid_input"]);
  });
  test.each(["12.5", "9007199254740993", "1e999", "-1", "null", "true"])("the JSON value %s", async (literal) => {
    const { status, json } = await stage(JSON.stringify(byAmount("@")).replace('"@"', literal));
    expect([status, json.code]).toEqual([422, "invalid_input"]);
  });
  test("16 digits are read exactly, and refused by the cap", async () => {
    const { json } = await stage(byAmount("9007199254740993"));
    expect(json).toMatchObject({ code: "guardrail_violation", violations: [{ actual: "9007199254740993" }, { actual: "9007199254740993" }, { rule: "agent_daily_refund_total", actual: expect.stringMatching(/^9007199254\d{6}$/) as string }] });
  });
  test("another currency, a quantity that is not there, unknown members by name", async () => {
    expect((await stage({ ...byAmount("1"), amount: { amountMinor: "1", currency: "USD" } })).json.code).toBe("currency_mismatch");
    const lines = (quantity: number, index = 0) => ({ kind: "refund", orderId: order.id, reason: "other", lines: [{ lineId: order.lineIds[index], quantity, restock: "none" }] });
    expect((await stage(lines(5))).json).toMatchObject({ code: "guardrail_violation", violations: [{ rule: "refundable_remainder", path: "/lines/0/quantity", cap: "4", actual: "5" }] });
    expect((await stage(lines(0))).json.code).toBe("invalid_input");
    const twice = { ...lines(1), lines: [...lines(1).lines, ...lines(1).lines] };
    expect((await stage(twice)).json).toMatchObject({ code: "guardrail_violation", violations: [{ rule: "max_items_per_change", path: "/lines/1/lineId" }] });
    expect((await stage(byAmount("1", { approve: true }))).json).toMatchObject({ code: "invalid_input", detail: "Check /approve" });
    expect((await stage({ ...byAmount("1"), ...lines(1) })).json.code).toBe("invalid_input");
  });
});

describe("order of checks", () => {
  test("each fault is told before those behind it", async () => {
    const nobody = apiClient(`usk_${"a".repeat(43)}`);
    expect((await nobody("POST", "/changes", "{", {})).json.code).toBe("unauthenticated");
    expect((await call("POST", "/changes", "x".repeat(257 * 1024))).json.code).toBe("body_too_large");
    expect((await call("POST", "/changes", "{", { "content-type": "text/plain" })).json.code).toBe("unsupported_media_type");
    const reader = await makeMerchant({}, ["read"]);
    expect((await apiClient(reader.agent.secret)("POST", "/changes", "{")).json.code).toBe("malformed");
    expect((await apiClient(reader.agent.secret)("POST", "/changes", "{}")).json.code).toBe("scope_missing");
    expect((await readLog(reader.id)).at(-1)).toMatchObject({ type: "change.refused", subject: reader.agent.id, data: { code: "scope_missing" } });
    expect((await call("POST", "/changes", "{}")).json.code).toBe("idempotency_key_missing");
    expect((await call("POST", "/changes", "{}", { "idempotency-key": randomUUID() })).json.code).toBe("session_required");
    expect((await call("POST", "/changes", "{}", { "idempotency-key": randomUUID(), "undersigned-session": "ses-AAAAAAAAAA" })).json.code).toBe("session_not_found");
    expect((await stage({})).json.code).toBe("invalid_input");
    expect((await stage({ ...byAmount("1"), orderId: "ord-AAAAAAAAAA" })).json.code).toBe("not_in_session");
  });
  test.each([['{"a":1,"a":2}', "twice"], ['{"a":1,"\\u0061":2}', "twice"], [`${"[".repeat(33)}${"]".repeat(33)}`, "deeper"], ['{"a":"\\u0000"}', "U+0000"], ['{"a":"\\ud800"}', "surrogate"], ["", ""], ["{}x", "not JSON"], ["\ufeff{}", "not JSON"]])(
    "malformed: %j", async (body, detail) => {
      const { status, json } = await stage(body);
      expect([status, json.code]).toEqual(body === "" ? [422, "invalid_input"] : [400, "malformed"]);
      expect(json.detail).toContain(detail);
    });
  test("what is malformed, unauthenticated or incomplete leaves no entry", async () => {
    const before = await logSize();
    await stage("{");
    await call("POST", "/changes", "{}");
    await call("POST", "/changes", "{}", { "idempotency-key": randomUUID() });
    await call("GET", "/orders/ord-AAAAAAAAAA");
    expect(await logSize()).toBe(before);
  });
});

describe("provenance and tenancy", () => {
  test("a list proves the order, only the order itself its lines", async () => {
    const listing = await sessionWith(call);
    await call("GET", `/orders?query=${order.number}`, undefined, listing);
    const lines = { kind: "refund", orderId: order.id, reason: "other", lines: [{ lineId: order.lineIds[0], quantity: 1, restock: "none" }] };
    expect((await stage(lines, listing)).json.code).toBe("not_in_session");
    expect((await stage(byAmount("1"), listing)).status).toBe(201);
    await call("GET", `/orders/${order.id}`, undefined, listing);
    expect((await stage(lines, listing)).status).toBe(201);
  });
  test("foreign, unknown and unread ids answer alike, byte for byte but for the request", async () => {
    const foreign = await makeOrder(other.id);
    const unread = await makeOrder(merchant.id);
    const told = await Promise.all([foreign.id, "ord-AAAAAAAAAA", unread.id].map(async (orderId) => (await stage({ ...byAmount("1"), orderId }, await sessionWith(call, foreign.id))).json));
    for (const each of told) expect({ ...each, requestId: "" }).toEqual({ ...told[0], requestId: "" });
    expect(told[0]).toMatchObject({ status: 403, code: "not_in_session" });
    const foreignLine = { kind: "refund", orderId: order.id, reason: "other", lines: [{ lineId: foreign.lineIds[0], quantity: 1, restock: "none" }] };
    expect((await stage(foreignLine)).json.code).toBe("not_in_session");
    for (const id of [foreign.id, "ord-AAAAAAAAAA"]) expect((await call("GET", `/orders/${id}`)).json.code).toBe("not_found");
  });
  test("another merchant's change, session and log are not there", async () => {
    const mine = (await stage(byAmount("1"))).json.id as string;
    const theirs = apiClient(other.agent.secret);
    const header = await sessionWith(theirs);
    for (const id of [mine, "chg-AAAAAAAAAA"]) {
      expect((await theirs("GET", `/changes/${id}`)).json.code).toBe("not_found");
      expect((await theirs("POST", `/changes/${id}/withdraw`, undefined, header)).json.code).toBe("not_found");
      expect((await readLog(other.id)).at(-1)).toMatchObject({ type: "change.refused", subject: header["undersigned-session"], data: { code: "not_found", verb: "withdraw" } });
    }
    expect((await theirs("POST", "/changes", byAmount("1"), { ...session, "idempotency-key": randomUUID() })).json.code).toBe("session_not_found");
    expect((await theirs("GET", `/log/${merchant.id}/bundle`)).json.code).toBe("not_found");
    expect((await call("GET", `/log/${merchant.id}/bundle`)).text.trimEnd().split("\n").at(-1)).toBe('{"checkpoint":null}');
  });
  test("an agent withdraws its own, once; another agent of the merchant cannot see it", async () => {
    const id = (await stage(byAmount("1"))).json.id as string;
    expect((await call("POST", `/changes/${id}/withdraw`, undefined, session)).json).toMatchObject({ id, state: "withdrawn", revision: 2 });
    expect((await call("POST", `/changes/${id}/withdraw`, undefined, session)).json.code).toBe("change_already_withdrawn");
  });
});

describe("idempotency and the one write", () => {
  test("the same request is answered again, another is a mismatch, a replay writes nothing", async () => {
    const key = { "idempotency-key": randomUUID() };
    const first = await stage(byAmount("7"), key);
    const before = await logSize();
    const again = await stage({ reason: "damaged", amount: { currency: "GBP", amountMinor: "7" }, orderId: order.id, kind: "refund" }, key);
    expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([201, first.text, "true"]);
    expect(await logSize()).toBe(before);
    expect((await stage(byAmount("8"), key)).json.code).toBe("idempotency_mismatch");
    const refused = await stage(byAmount("99999"), { "idempotency-key": "refused" });
    const replayed = await stage(byAmount("99999"), { "idempotency-key": "refused" });
    expect([replayed.status, replayed.text, replayed.headers.get("idempotency-replayed")]).toEqual([422, refused.text, "true"]);
    expect(replayed.headers.get("content-type")).toBe("application/problem+json");
  });
  test("many at once under one key stage one change", async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => sessionWith(call, order.id)));
    const answers = await Promise.all(sessions.map((header) => stage(byAmount("9"), { ...header, "idempotency-key": "once" })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true")).toHaveLength(7);
  });
  test("a second write of a session in flight is told to wait, and leaves no entry", async () => {
    const { release, held } = await holdSession(session["undersigned-session"]);
    const before = await logSize();
    const { status, json, headers } = await stage(byAmount("3"));
    expect([status, json.code, headers.get("retry-after")]).toEqual([409, "session_busy", "1"]);
    expect(await logSize()).toBe(before);
    await release();
    await held;
    expect((await stage(byAmount("3"))).status).toBe(201);
  });
  test("more than 60 refusals in a minute are counted, not listed", async () => {
    const shop = await makeMerchant();
    const theirs = apiClient(shop.agent.secret);
    const header = await sessionWith(theirs);
    for (let n = 0; n < 64; n++) await theirs("POST", "/changes/chg-AAAAAAAAAA/withdraw", undefined, header);
    const refused = (await readLog(shop.id)).filter(({ type }) => type === "change.refused");
    const minutes = await everyMerchant().refusalMinute.findMany({ where: { merchantId: shop.id, keyId: shop.agent.keyId } });
    expect(minutes.reduce((sum, { refusals }) => sum + refusals, 0)).toBe(64);
    expect(refused).toHaveLength(minutes.reduce((sum, { refusals }) => sum + Math.min(refusals, 60), 0));
  });
});

test("a key that was revoked or given to another while its request was on the way stages nothing by the old", async () => {
  const shop = await makeMerchant();
  const theirs = apiClient(shop.agent.secret);
  const subject = await makeOrder(shop.id);
  const header = await sessionWith(theirs, subject.id);
  const ctx = await shop.agent.ctx();
  const ask = (key: string) => stageRefund(ctx, header["undersigned-session"], { key, hash: key }, { kind: "refund", orderId: subject.id, amount: { amountMinor: "1", currency: "GBP" }, reason: "other" });
  await rotateKey(await shop.admin.ctx(), { keyId: shop.agent.keyId, ownerId: shop.maya.personId, expiresAt: new Date("2099-01-01T00:00:00.000Z") });
  await ask("one");
  expect((await readLog(shop.id)).at(-1)!.data.excludes).toEqual([shop.admin.personId, shop.maya.personId].toSorted());
  await revokeKey(await shop.admin.ctx(), { keyId: shop.agent.keyId });
  await expect(ask("two")).rejects.toMatchObject({ code: "unauthenticated" });
  await expect(withdrawOwn(ctx, header["undersigned-session"], (await readLog(shop.id)).find(({ type }) => type === "change.staged")!.subject)).rejects.toMatchObject({ code: "unauthenticated" });
});

test("50 stages in 50 sessions at once on a fresh merchant: one gapless chain", async () => {
  const shop = await makeMerchant();
  const theirs = apiClient(shop.agent.secret);
  const orders = await Promise.all(Array.from({ length: 50 }, () => makeOrder(shop.id)));
  const sessions = await Promise.all(orders.map(({ id }) => sessionWith(theirs, id)));
  const answers = await Promise.all(orders.map(({ id }, index) => theirs("POST", "/changes", byAmount("100", { orderId: id }), { ...sessions[index]!, "idempotency-key": `k${index}` })));
  expect(answers.flatMap(({ status, json }) => (status === 201 ? [] : [json]))).toEqual([]);
  const log = await readLog(shop.id);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
  expect(log.filter(({ type }) => type === "change.staged")).toHaveLength(50);
  const links = await sql<{ broken: number }>(database.ownerUrl, `SELECT count(*)::int AS broken FROM entry a JOIN entry b ON b.merchant_id = a.merchant_id AND b.seq = a.seq + 1
    WHERE a.merchant_id = $1 AND (b.entry::json ->> 'prev' <> a.leaf_hash OR a.leaf_hash <> encode(sha256('\\x00'::bytea || convert_to(a.entry, 'UTF8')), 'hex'))`, [shop.id]);
  expect(links).toEqual([{ broken: 0 }]);
});

test("an append that fails: 5xx, and neither change nor effect nor stored answer exists", async () => {
  await sql(database.ownerUrl, "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room' USING ERRCODE = '53100'; END $$");
  await sql(database.ownerUrl, "CREATE TRIGGER fail BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION fail()");
  const counts = () => sql(database.ownerUrl, "SELECT (SELECT count(*) FROM change) AS changes, (SELECT count(*) FROM outbox) AS effects, (SELECT count(*) FROM stored_answer) AS answers, (SELECT sum(staged_minor) FROM payment) AS staged");
  const before = await counts();
  const staged = await stage(byAmount("5"));
  const refused = await stage(byAmount("99999"));
  await sql(database.ownerUrl, "DROP TRIGGER fail ON entry");
  for (const { status, json } of [staged, refused]) expect([status, json.code]).toEqual([503, "unavailable"]);
  expect(await counts()).toEqual(before);
});

test("changes are listed newest first, each once, while others are staged", async () => {
  const shop = await makeMerchant();
  const theirs = apiClient(shop.agent.secret);
  const subject = await makeOrder(shop.id);
  const header = await sessionWith(theirs, subject.id);
  const ask = () => theirs("POST", "/changes", byAmount("1", { orderId: subject.id }), { ...header, "idempotency-key": randomUUID() });
  const staged = [];
  for (let n = 0; n < 5; n++) staged.push((await ask()).json.id);
  const seen: unknown[] = [];
  for (let cursor: unknown = ""; cursor !== null; ) {
    const { json } = await theirs("GET", `/changes?limit=2&state=staged${cursor === "" ? "" : `&cursor=${String(cursor)}`}`);
    seen.push(...(json.items as { id: string }[]).map(({ id }) => id));
    cursor = json.nextCursor;
    await ask();
  }
  expect(seen).toEqual(staged.toReversed());
  expect((await theirs("GET", "/changes?limit=101")).json.code).toBe("invalid_input");
});

/** Holds a session as a write in flight does, until released. */
async function holdSession(sessionId: string): Promise<{ release: () => Promise<void>; held: Promise<unknown> }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => { release = resolve; });
  let locked = () => {};
  const isLocked = new Promise<void>((resolve) => { locked = resolve; });
  const held = everyMerchant().$transaction(async (db) => {
    await db.$queryRaw`SELECT 1 FROM agent_session WHERE id = ${sessionId} FOR NO KEY UPDATE`;
    locked();
    await released;
  });
  await isLocked;
  return { release: async () => release(), held };
}
