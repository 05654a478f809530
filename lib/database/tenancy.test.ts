import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql, testDatabase, type TestDatabase } from "../testing/database";
import { approve, makeMerchant, makeOrder, stage, type TestMerchant } from "../testing/factories";

// Tenancy as the database holds it, whatever the code asks for: each table is walked as the other merchant, and as nobody.

let database: TestDatabase;
let mine: TestMerchant;
let theirs: TestMerchant;
let app: pg.Client;
let tables: string[];

beforeAll(async () => {
  database = await testDatabase();
  [mine, theirs] = [await makeMerchant({ undo_seconds: 0 }), await makeMerchant({ undo_seconds: 0 })];
  for (const merchant of [mine, theirs]) {
    const change = await stage(merchant, await makeOrder(merchant.id), { amountMinor: 500n });
    await approve(merchant.tom, change.id);
    await sql(database.ownerUrl, "INSERT INTO person_identity VALUES ('https://id.example', $1, $1, now())", [merchant.tom.personId]);
  }
  await sql(database.ownerUrl, "INSERT INTO sign_in_minute VALUES ('door', now(), 1)");
  app = new pg.Client({ connectionString: database.appUrl });
  await app.connect();
  tables = (await sql<{ name: string }>(database.ownerUrl, "SELECT relname AS name FROM pg_class WHERE relkind IN ('r','p') AND relnamespace = 'public'::regnamespace AND relname NOT LIKE '\\_prisma%'")).map(({ name }) => name);
});
afterAll(() => app.end());

const as = (merchantId: string) => app.query("SELECT set_config('undersigned.merchant', $1, false)", [merchantId]);
const member = (person: string) => `(SELECT min(m.merchant_id) FROM member m WHERE m.person_id = ${person})`;
/** Tables that belong to no merchant: whose rows a merchant sees all the same. */
const OWNERS: Record<string, string> = { merchant: "id", person: member("person.id"), person_identity: member("person_identity.person_id"), sign_in_minute: "'nobody'" };
const owned = (table: string) => OWNERS[table] ?? "merchant_id";

test("every table has row-level security and a policy", async () => {
  const bare = await sql<{ relname: string }>(database.ownerUrl, `
    SELECT relname FROM pg_class c WHERE relkind IN ('r','p') AND relnamespace = 'public'::regnamespace AND relname NOT LIKE '\\_prisma%'
       AND (NOT relrowsecurity OR NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))`);
  expect(bare).toEqual([]);
  expect(tables.length).toBeGreaterThan(25);
});

test("a merchant sees its own rows in each table and none of another's; nobody sees none", async () => {
  for (const table of tables) {
    const rows = await sql<{ mine: number }>(database.ownerUrl, `SELECT count(*)::int AS mine FROM ${table} WHERE ${owned(table)} = $1`, [mine.id]);
    await as(mine.id);
    const { rows: [seen] } = await app.query<{ all: number }>(`SELECT count(*)::int AS all FROM ${table}`);
    expect([table, seen!.all]).toEqual([table, rows[0]!.mine]);
    await as("");
    const { rows: [nothing] } = await app.query<{ all: number }>(`SELECT count(*)::int AS all FROM ${table}`);
    expect([table, nothing!.all]).toEqual([table, 0]);
  }
});

test("no row of another merchant can be changed, removed or written", async () => {
  await as(mine.id);
  for (const table of tables.filter((name) => !(name in OWNERS))) {
    for (const text of [`UPDATE ${table} SET merchant_id = merchant_id WHERE merchant_id = $1`, `DELETE FROM ${table} WHERE merchant_id = $1`]) {
      const touched = await app.query(text, [theirs.id]).then(({ rowCount }) => rowCount, (error: { code: string }) => error.code);
      expect([table, [0, "42501"].includes(touched as never)]).toEqual([table, true]);
    }
  }
  const foreign = [
    ["INSERT INTO policy VALUES ($1, 2, '{}', now())", [theirs.id]],
    ["INSERT INTO outbox (merchant_id, type, subject, due_at) VALUES ($1, 'change.apply', 'x', now())", [theirs.id]],
    ["SELECT ledger_append($1, $2)", [theirs.id, JSON.stringify({ actor: { id: "x", kind: "system" }, data: {}, subject: theirs.id, type: "merchant.paused" })]],
  ] as const;
  for (const [text, values] of foreign) await expect(app.query(text, [...values])).rejects.toMatchObject({ code: "42501" });
});
