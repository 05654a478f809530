import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lock } from "./lock.mjs";
import { passedFolder } from "./private.mjs";
import { run } from "./processes.mjs";

const folder = mkdtempSync(join(process.env.TMPDIR ?? "/tmp", "private-"));
let mask = 0;
beforeAll(() => { mask = process.umask(0o022); });
afterAll(() => {
  process.umask(mask);
  rmSync(folder, { recursive: true });
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test("what programs say is for this account alone, also where an earlier version left it open", async () => {
  const [old, log] = [join(folder, "old"), join(folder, "made", "logs", "said.log")];
  mkdirSync(old, { mode: 0o755 });
  writeFileSync(join(old, "said.log"), "", { mode: 0o644 });
  chmodSync(old, 0o755);
  for (const file of [join(old, "said.log"), log]) await run(process.execPath, ["-e", "console.log('said')"], { log: file });
  expect([old, join(old, "said.log"), join(folder, "made", "logs"), log].map(modeOf)).toEqual(["700", "600", "700", "600"]);
  const release = lock(join(folder, "made", "demo.pid"), () => "taken");
  expect(modeOf(join(folder, "made", "demo.pid"))).toBe("600");
  release();
});

test("a folder with a database in it is passed through as root at most, and listed by nobody", () => {
  passedFolder(join(folder, "data", "db"));
  for (const path of ["data", "data/db"]) expect(modeOf(join(folder, path))).toBe(process.getuid?.() === 0 ? "711" : "700");
});

test("nothing that the database of these tests lies in is readable by others", () => {
  const own = ".data/test-db";
  for (const path of [".data", own, ...readdirSync(own).map((name) => join(own, name))]) expect([path, statSync(path).mode & 0o066]).toEqual([path, 0]);
});
