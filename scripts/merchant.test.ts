import { execFile } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { fsck } from "../lib/log/fsck";
import { useSignInLink } from "../lib/identity/links";
import { readSignIn } from "../lib/identity/sign-ins";
import { testDatabase, type TestDatabase } from "../lib/testing/database";

let database: TestDatabase;
beforeAll(async () => { database = await testDatabase(); });

const run = (...args: string[]): Promise<{ code: number; out: string; err: string }> => new Promise((done) => {
  const env = { ...process.env, DATABASE_URL: database.appUrl, UNDERSIGNED_URL: "https://approvals.example.com" };
  execFile(process.execPath, ["--import", "tsx", "scripts/merchant.ts", ...args], { env }, (error, out, err) => done({ code: Number(error?.code ?? 0), out, err }));
});
const tokenOf = (out: string): string => /https:\/\/approvals\.example\.com\/welcome\/(\S+)/.exec(out)![1]!;

test("the first merchant: made, its admin let in by the link, once, and all of it in the log", async () => {
  const made = await run("create", "--name", "Café Nord", "--admin-email", "Ines@nord.example", "--admin-name", "Ines Carvalho", "--time-zone", "Europe/Oslo");
  expect(made).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^Made the merchant "cafe-nord" \(mer-.{10}\), with Ines@nord\.example as admin\.\n/) });
  const signedIn = await readSignIn(await useSignInLink(tokenOf(made.out), "a long enough password"));
  expect(signedIn).toMatchObject({ role: "admin", person: { name: "Ines Carvalho", email: "ines@nord.example" }, merchant: { slug: "cafe-nord", name: "Café Nord" } });
  await expect(useSignInLink(tokenOf(made.out), "another password")).rejects.toMatchObject({ code: "not_found" });

  expect(await run("create", "--name", "Café Nord", "--admin-email", "ines@nord.example")).toMatchObject({ code: 1, out: "", err: expect.stringContaining('The merchant "cafe-nord" exists already') });
  const lost = await run("link", "--merchant", "cafe-nord", "--email", "ines@nord.example");
  expect(await readSignIn(await useSignInLink(tokenOf(lost.out), "yet another password"))).toMatchObject({ role: "admin" });
  expect((await run("list")).out).toMatch(/^mer-.{10} {2}cafe-nord\n$/);
  expect(await fsck()).toMatchObject({ ok: true });
});

test.each([
  [["create", "--name", "X", "--admin-email", "x@x.example", "--time-zone", "Moon"], '"Moon" is no time zone'],
  [["link", "--merchant", "cafe-nord", "--email", "x@x.example"], "x@x.example is no member of this merchant."],
  [["create", "--nam", "X"], "Unknown option"],
])("%j is told what is wrong", async (args, told) => {
  expect(await run(...args)).toMatchObject({ code: 1, out: "", err: expect.stringContaining(told) });
});
