import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { exportBundle } from "../../lib/changes/bundle";
import { closeDatabase } from "../../lib/database/client";
import { fsck } from "../../lib/log/fsck";
import { sql, testDatabase, type TestDatabase } from "../../lib/testing/database";
import { approve, makeMerchant, makeOrder, stage, type TestMerchant } from "../../lib/testing/factories";
import { createDatabase, dropDatabase, onDatabase } from "../databases.mjs";
import { restoreBackup } from "./restore";
import { writeBackup } from "./write";

const folder = mkdtempSync(join(tmpdir(), "undersigned-backup-"));
const file = join(folder, "all.backup");
const made: string[] = [];
let database: TestDatabase;
let shop: TestMerchant;
let bundle: string;

beforeAll(async () => {
  database = await testDatabase();
  shop = await makeMerchant();
  const order = await makeOrder(shop.id, { lines: [{ quantity: 1, paidMinor: 900_000n, title: "Tab\there, \\backslash, \u{1F4A5}\nand a line" }] });
  const changes = [await stage(shop, order), await stage(shop, order), await stage(shop, order)];
  await approve(shop.maya, changes[0]!.id);
  bundle = await bundleOf();
  await writeBackup(database.ownerUrl, file);
});
afterEach(async () => {
  process.env.DATABASE_URL = database.appUrl;
  for (const name of made.splice(0)) await dropDatabase(database.ownerUrl, name);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function emptyDatabase(): Promise<{ ownerUrl: string; appUrl: string }> {
  const name = `test_${randomUUID()}`;
  made.push(name);
  await createDatabase(database.ownerUrl, name, inject("testDatabase").template);
  return { ownerUrl: onDatabase(database.ownerUrl, name), appUrl: onDatabase(database.appUrl, name) };
}

async function bundleOf(): Promise<string> {
  let text = "";
  for await (const line of await exportBundle(await shop.admin.ctx(), shop.id)) text += line;
  return text;
}

async function inDatabase<T>(url: string, work: () => Promise<T>): Promise<T> {
  await closeDatabase();
  process.env.DATABASE_URL = url;
  try {
    return await work();
  } finally {
    await closeDatabase();
    process.env.DATABASE_URL = database.appUrl;
  }
}

const counts = async (url: string): Promise<string> => {
  const tables = await sql<{ name: string }>(url, "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1");
  const rows = await Promise.all(tables.map(async ({ name }) => [name, (await sql<{ n: string }>(url, `SELECT count(*) AS n FROM "${name}"`))[0]!.n]));
  return JSON.stringify(rows);
};

test("what was backed up comes back to the byte, and works on", async () => {
  const before = await counts(database.ownerUrl);
  const copy = await emptyDatabase();
  await restoreBackup(copy.ownerUrl, file);
  expect(await counts(copy.ownerUrl)).toBe(before);
  await inDatabase(copy.appUrl, async () => {
    expect(await bundleOf()).toBe(bundle);
    expect(await fsck()).toMatchObject({ ok: true, findings: [] });
    const waiting = await sql<{ id: string }>(copy.ownerUrl, "SELECT id FROM change WHERE state = 'staged' ORDER BY staged_seq LIMIT 1");
    await approve(shop.tom, waiting[0]!.id); // triggers and sequences are as they were
    expect(await fsck()).toMatchObject({ ok: true, findings: [] });
  });
  expect(await sql(copy.ownerUrl, "SELECT FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'")).toEqual([]);
});

test("it is one instant, whoever writes meanwhile", async () => {
  const order = await makeOrder(shop.id, { lines: [{ quantity: 1, paidMinor: 900_000n }] });
  const busy = join(folder, "busy.backup");
  let writing = true;
  const writer = (async () => { while (writing) await stage(shop, order); })();
  await writeBackup(database.ownerUrl, busy);
  writing = false;
  await writer;
  const copy = await emptyDatabase();
  await restoreBackup(copy.ownerUrl, busy);
  await inDatabase(copy.appUrl, async () => expect(await fsck()).toMatchObject({ ok: true, findings: [] }));
});

const packed = (change: (text: string) => string): Buffer => gzipSync(Buffer.from(change(gunzipSync(readFileSync(file)).toString("latin1")), "latin1"));
test.each<[string, () => Buffer, string]>([
  ["one figure changed and packed again", () => packed((text) => text.replace("\t900000\t", "\t900001\t")), "its bytes are not those that were written"],
  ["cut off", () => readFileSync(file).subarray(0, statSync(file).size / 2), "it cannot be unpacked"],
  ["its last line taken away", () => packed((text) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)), "it ends too early"],
  ["another file", () => gzipSync("hello\n"), "one of its lines is not readable"],
])("a backup with %s is refused, and nothing is written", async (_, tamper, told) => {
  const bad = join(folder, "bad.backup");
  writeFileSync(bad, tamper());
  const copy = await emptyDatabase();
  const before = await counts(copy.ownerUrl);
  await expect(restoreBackup(copy.ownerUrl, bad)).rejects.toThrow(`${bad} cannot be restored: ${told}. Nothing was written.`);
  expect(await counts(copy.ownerUrl)).toBe(before);
});

test("only an empty database of the same migrations takes it", async () => {
  await expect(restoreBackup(database.ownerUrl, file)).rejects.toThrow("The database is not empty");
  const copy = await emptyDatabase();
  await sql(copy.ownerUrl, "UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name LIKE '%_operations'");
  await expect(restoreBackup(copy.ownerUrl, file)).rejects.toThrow("The backup is of another version: the database lacks its 20261130230000_operations.");
});
