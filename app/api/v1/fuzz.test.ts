import fc from "fast-check";
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/database";
import { makeMerchant, makeOrder } from "@/lib/testing/factories";
import { everyMerchant } from "@/lib/testing/owner";
import { requests, type Fuzzed, type Ids } from "./fuzz";
import { answer } from "./handlers";
import { apiClient, sessionWith } from "./test-client";

// FUZZ_RUNS asks for more; FUZZ_SEED draws the same requests again.
const runs = Number(process.env.FUZZ_RUNS ?? 300);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
const CODES = new Set([...readFileSync("docs/api.md", "utf8").matchAll(/^\| (`.*`) \| (\d{3})/gm)].flatMap(([, codes, status]) => [...codes!.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`)));

let ids: Ids;
let secret: string;
let otherSecret: string;
beforeAll(async () => {
  await testDatabase();
  process.env.UNDERSIGNED_REQUESTS_PER_MINUTE = "1000000";
  const [merchant, other] = [await makeMerchant({}, ["read", "stage:refund", "log:read"]), await makeMerchant()];
  const [order, foreign] = [await makeOrder(merchant.id, { lines: [{ quantity: 1000, paidMinor: 9_000_000n }], shippingMinor: 500n }), await makeOrder(other.id)];
  const stageOne = async (of: typeof merchant, orderId: string) => {
    const call = apiClient(of.agent.secret);
    const session = await sessionWith(call, orderId);
    const { json } = await call("POST", "/changes", { kind: "refund", orderId, amount: { amountMinor: "1", currency: "GBP" }, reason: "other" }, { ...session, "idempotency-key": "first" });
    return { change: String(json.id), session: session["undersigned-session"] };
  };
  [secret, otherSecret] = [merchant.agent.secret, other.agent.secret];
  ids = { order: order.id, line: order.lineIds[0]!, merchant: merchant.id, ...(await stageOne(merchant, order.id)), foreign: { order: foreign.id, merchant: other.id, ...(await stageOne(other, foreign.id)) } };
});

type Counts = Record<string, number>;

/** Rows by table, but for what counts requests. */
async function counts(): Promise<Counts> {
  const [row] = await everyMerchant().$queryRaw<Counts[]>`
    SELECT (SELECT count(*)::int FROM change) AS change, (SELECT count(*)::int FROM change_content) AS content, (SELECT count(*)::int FROM decision) AS decision, (SELECT count(*)::int FROM outbox) AS outbox,
           (SELECT count(*)::int FROM agent_session) AS session, (SELECT count(*)::int FROM provenance) AS provenance, (SELECT count(*)::int FROM digested_text) AS text, (SELECT coalesce(sum(staged_minor), 0)::int FROM payment) AS staged,
           (SELECT coalesce(sum(revision), 0)::int FROM change) AS moves, (SELECT count(*)::int FROM stored_answer WHERE status < 400) AS answers, (SELECT count(*)::int FROM entry WHERE type <> 'change.refused') AS entries,
           (SELECT count(*)::int FROM entry WHERE type = 'change.refused') AS refusals`;
  return row!;
}

async function send({ method, path, headers, body }: Fuzzed): Promise<Response | null> {
  const asked = new Headers();
  for (const [name, value] of headers) asked.append(name, value);
  const withBody = body !== null && method !== "GET" && method !== "HEAD";
  return answer(new Request(`http://undersigned.example/api/v1${path}`, { method, headers: asked, ...(withBody && { body: Buffer.from(body) }) }));
}

test("whatever is asked: no 5xx, a documented problem, and nothing written on a refusal but its entry", async () => {
  const heard: Counts = {};
  const { refusals: _, ...before } = await counts();
  let kept: Counts = before;
  await fc.assert(fc.asyncProperty(requests(ids, secret, otherSecret), async (request) => {
    const response = await send(request);
    const text = await response!.text();
    const { status } = response!;
    const { refusals, ...after } = await counts();
    if (status < 400) { heard[status] = (heard[status] ?? 0) + 1; kept = after; return; }
    if (request.method === "HEAD") return; // no body to look at
    const problem = JSON.parse(text) as { status: number; code: string; title: string; detail: string; requestId: string; type: string };
    expect(response!.headers.get("content-type")).toBe("application/problem+json");
    expect(CODES, `${status} ${problem.code}`).toContain(`${status} ${problem.code}`);
    expect(status).toBeLessThan(500);
    expect(problem).toMatchObject({ status, type: `urn:undersigned:problem:${problem.code}`, title: expect.any(String), detail: expect.any(String), requestId: expect.any(String) });
    expect(after).toEqual(kept);
    heard[problem.code] = (heard[problem.code] ?? 0) + 1;
  }), { numRuns: runs, seed, endOnFailure: false });
  console.log(JSON.stringify({ seed, runs, heard }));
  expect(Object.keys(heard).length).toBeGreaterThan(8);
}, 60_000 + runs * 500);

test("U+0000 in an id is an id that nobody has; in a query or a cursor it is refused by name, like a cursor that no list gave", async () => {
  const call = apiClient(secret);
  for (const path of ["/orders/ord-%00", "/changes/%00"]) expect((await call("GET", path)).json.code).toBe("not_found");
  const session = { "undersigned-session": ids.session };
  expect((await call("POST", "/changes/%00/withdraw", undefined, session)).json.code).toBe("not_found");
  const cursor = (text: string) => `/orders?cursor=${Buffer.from(text).toString("base64url")}`;
  for (const path of ["/orders?query=a%00", "/changes?cursor=%00", "/orders?cursor=x", cursor("2026-01-01T00:00:00.000Z \0"), cursor("0000-01-01T00:00:00.000Z ord-AAAAAAAAAA"), cursor("-271821-04-20T00:00:00.000Z ord-AAAAAAAAAA")]) {
    expect((await call("GET", path)).json).toMatchObject({ status: 422, code: "invalid_input" });
  }
});

test("what looks like a dry run and is none stages nothing", async () => {
  const before = await counts();
  const body = { kind: "refund", orderId: ids.order, amount: { amountMinor: "1", currency: "GBP" }, reason: "other" };
  for (const query of ["?dryRun=1", "?dryRun=TRUE", "?dryrun=true", "?dryRun=true&dryRun=false"]) {
    expect((await apiClient(secret)("POST", `/changes${query}`, body, { "undersigned-session": ids.session, "idempotency-key": `odd ${query}`.replaceAll(" ", "-") })).json).toMatchObject({ code: "invalid_input" });
  }
  expect((await counts()).change).toBe(before.change);
});

test("a method that a route does not have: 405, the problem and what it allows", async () => {
  for (const [method, path, allow] of [["PUT", "/changes", "GET, HEAD, POST"], ["DELETE", `/changes/${ids.change}`, "GET, HEAD"], ["GET", `/changes/${ids.change}/withdraw`, "POST"], ["POST", "/policy", "GET, HEAD"]] as const) {
    const response = await answer(new Request(`http://undersigned.example/api/v1${path}`, { method }));
    expect([response.status, response.headers.get("allow"), ((await response.json()) as { code: string }).code]).toEqual([405, allow, "method_not_allowed"]);
  }
});
