import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { closeDatabase } from "@/lib/database/client";
import { sql, testDatabase, type TestDatabase } from "@/lib/testing/database";
import { makeMerchant, makeOrder, stage } from "@/lib/testing/factories";
import { GET as health } from "./health/route";
import { GET as metrics } from "./metrics/route";
import { GET as ready } from "./ready/route";

let database: TestDatabase;
beforeAll(async () => { database = await testDatabase(); });
afterEach(() => vi.unstubAllEnvs());

const ask = async (handler: typeof health, headers: Record<string, string> = {}) => {
  const response = await handler(new Request("http://localhost/api", { headers }), { params: Promise.resolve({}) });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
};

test("ready with the schema this version knows, and not with another", async () => {
  expect(await ask(ready)).toMatchObject({ status: 200, text: '{"database":true,"migrations":true,"worker":true}' });
  await sql(database.ownerUrl, "UPDATE _prisma_migrations SET migration_name = '20991231000000_later' WHERE migration_name LIKE '%_operations'");
  expect(await ask(ready)).toMatchObject({ status: 503, text: '{"database":true,"migrations":false,"worker":false}' });
  await sql(database.ownerUrl, "UPDATE _prisma_migrations SET migration_name = '20261130230000_operations' WHERE migration_name = '20991231000000_later'");
});

test("a worker that stands still is told, and stops no request", async () => {
  const shop = await makeMerchant();
  await stage(shop, await makeOrder(shop.id));
  await sql(database.ownerUrl, "UPDATE outbox SET due_at = ledger_clock() - interval '5 minutes'");
  expect(await ask(ready)).toMatchObject({ status: 200, text: '{"database":true,"migrations":true,"worker":false}' });
});

test("metrics are for who bears the token, and for nobody where there is none", async () => {
  expect(await ask(metrics, { authorization: "Bearer undefined" })).toMatchObject({ status: 404 });
  vi.stubEnv("UNDERSIGNED_METRICS_TOKEN", "the operators' own");
  expect(await ask(metrics, { authorization: "Bearer the operators" })).toMatchObject({ status: 404 });
  const told = await ask(metrics, { authorization: "Bearer the operators' own" });
  expect(told).toMatchObject({ status: 200, type: "application/openmetrics-text; version=1.0.0; charset=utf-8" });
  expect(told.text).toContain('undersigned_refusals_total{code="not_found"} 2\n');
  expect(told.text).toContain("\nundersigned_outbox_due 1\n");
  expect(told.text).toContain('undersigned_pool_connections{use="busy"} 0\n');
  expect(told.text.endsWith("# EOF\n")).toBe(true);
});

test("without a database it is alive, and says that it is of no use", async () => {
  await closeDatabase();
  vi.stubEnv("DATABASE_URL", Object.assign(new URL(database.appUrl), { port: "1" }).href);
  expect(await ask(health)).toMatchObject({ status: 503, text: '{"database":false}' });
  expect(await ask(ready)).toMatchObject({ status: 503, text: '{"database":false,"migrations":false,"worker":false}' });
  await closeDatabase();
});
