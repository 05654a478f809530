import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase, pool } from "@/lib/database/client";
import { runDueJobs } from "@/lib/jobs/run";
import { fsck } from "@/lib/log/fsck";
import { makeMerchant, makeOrder, type TestMerchant, type TestOrder } from "@/lib/testing/factories";
import { closeOwner, everyMerchant } from "@/lib/testing/owner";
import { createDatabase, onDatabase } from "@/scripts/databases.mjs";
import { removePostgres, startPostgres } from "@/scripts/embedded.mjs";
import { apiClient, sessionWith, type Answered, type Client } from "./test-client";

const CALLERS = 8;
const folder = mkdtempSync(join(".data", "outage-"));
let server: Awaited<ReturnType<typeof startPostgres>>;
let shop: TestMerchant;
let order: TestOrder;
let call: Client;

beforeAll(async () => {
  server = await startPostgres(folder);
  await createDatabase(server.ownerUrl, "shop");
  const [DATABASE_URL, DATABASE_OWNER_URL] = [onDatabase(server.appUrl, "shop"), onDatabase(server.ownerUrl, "shop")];
  Object.assign(process.env, { DATABASE_URL, DATABASE_OWNER_URL });
  execFileSync(process.execPath, ["scripts/migrate.mjs", "deploy"]);
  shop = await makeMerchant({ undo_seconds: 0 });
  order = await makeOrder(shop.id, { lines: [{ quantity: 1, paidMinor: 100_000_000n }] });
  call = apiClient(shop.agent.secret);
});
afterAll(async () => {
  await closeOwner();
  await closeDatabase();
  await removePostgres(folder);
});

const stage = (session: Record<string, string>, key: string): Promise<Answered> =>
  call("POST", "/changes", { kind: "refund", orderId: order.id, amount: { amountMinor: "1", currency: "GBP" }, reason: "damaged" }, { ...session, "idempotency-key": key });

test("PostgreSQL stops and comes back under load: 503 with Retry-After meanwhile, the same processes go on, nothing acknowledged is lost", async () => {
  const sessions = await Promise.all(Array.from({ length: CALLERS }, () => sessionWith(call, order.id)));
  const answers: Answered[] = [];
  const acknowledged = new Map<string, unknown>();
  let calling = true;
  let working = true;
  let roundsAfter = 0;
  const callers = sessions.map(async (session) => {
    for (let key = randomUUID(); calling; ) {
      const answer = await stage(session, key);
      answers.push(answer);
      if (answer.status !== 201) continue; // the same request again, under its key
      acknowledged.set(key, answer.json.id);
      key = randomUUID();
    }
  });
  const worker = (async () => {
    while (working) await runDueJobs().then(() => roundsAfter++, () => { roundsAfter = 0; });
  })();
  const until = async (seen: () => boolean): Promise<void> => { while (!seen()) await new Promise((again) => setImmediate(again)); };

  await until(() => acknowledged.size >= 20);
  await server.stop();
  await until(() => answers.filter(({ status }) => status === 503).length >= 20);
  server = await startPostgres(folder);
  const before = acknowledged.size;
  await until(() => acknowledged.size >= before + 20 && roundsAfter >= 3);
  calling = working = false;
  await Promise.all([...callers, worker]);

  const failed = answers.filter(({ status }) => status !== 201 && status !== 409);
  expect([...new Set(failed.map(({ status, json, headers }) => `${status} ${json.code} ${headers.get("content-type")} ${Number(headers.get("retry-after")) > 0}`))]).toEqual(["503 unavailable application/problem+json true"]);
  expect(failed.some(({ json }) => String(json.detail).startsWith("The database does not answer"))).toBe(true);
  const stored = new Set((await everyMerchant().change.findMany({ select: { id: true } })).map(({ id }) => id));
  expect([...acknowledged.values()].filter((id) => !stored.has(id as string))).toEqual([]);
  expect(stored.size).toBe(acknowledged.size);
  expect(await fsck()).toMatchObject({ ok: true, findings: [] });
});

test("a full disk is named, and the next write goes on when there is room", async () => {
  const session = await sessionWith(call, order.id);
  await everyMerchant().$executeRawUnsafe("CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$");
  await everyMerchant().$executeRawUnsafe("CREATE TRIGGER full_disk BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION full_disk()");
  const key = randomUUID();
  const refused = await stage(session, key);
  expect([refused.status, refused.json.detail, refused.headers.get("retry-after")]).toEqual([503, "The database's disk is full: nothing was written", "30"]);
  await everyMerchant().$executeRawUnsafe("DROP TRIGGER full_disk ON entry");
  expect((await stage(session, key)).status).toBe(201);
});

test("every connection in use: told to come again, and served when one is free", async () => {
  await closeDatabase();
  Object.assign(process.env, { UNDERSIGNED_POOL: "1", UNDERSIGNED_POOL_WAIT_MS: "300" });
  const held = await pool().connect();
  const waited = await call("GET", "/policy");
  expect([waited.status, waited.json.detail, waited.headers.get("retry-after")]).toEqual([503, "The database is busy: nothing was written", "1"]);
  held.release();
  expect((await call("GET", "/policy")).status).toBe(200);
  for (const name of ["UNDERSIGNED_POOL", "UNDERSIGNED_POOL_WAIT_MS"]) delete process.env[name];
});
