import { execFile } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { fsck } from "../lib/log/fsck";
import { useSignInLink } from "../lib/identity/links";
import { placesOf } from "../lib/identity/places";
import { readSignIn, signInWithPassword } from "../lib/identity/sign-ins";
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
  const signedIn = await readSignIn(await useSignInLink(tokenOf(made.out), "a long enough password", null));
  expect(signedIn).toMatchObject({ role: "admin", person: { name: "Ines Carvalho", email: "ines@nord.example" }, merchant: { slug: "cafe-nord", name: "Café Nord" } });
  await expect(useSignInLink(tokenOf(made.out), "another password", null)).rejects.toMatchObject({ code: "not_found" });

  expect(await run("create", "--name", "Café Nord", "--admin-email", "ines@nord.example")).toMatchObject({ code: 1, out: "", err: expect.stringContaining('The merchant "cafe-nord" exists already') });
  const lost = await run("link", "--merchant", "cafe-nord", "--email", "ines@nord.example");
  expect(await readSignIn(await useSignInLink(tokenOf(lost.out), "yet another password", null))).toMatchObject({ role: "admin" });
  expect((await run("list")).out).toMatch(/^mer-.{10} {2}cafe-nord\n$/);
  expect(await fsck()).toMatchObject({ ok: true });
});

test("a place for a person: with a link where it is their first, and with the password they have where it is not", async () => {
  for (const name of ["Bergen", "Tromso"]) await run("create", "--name", name, "--admin-email", `admin@${name.toLowerCase()}.example`);
  const first = await run("invite", "--merchant", "bergen", "--email", "ola@nord.example", "--role", "operator", "--name", "Ola Nordmann");
  expect(first).toMatchObject({ code: 0, err: "", out: expect.stringContaining('Added ola@nord.example to the merchant "bergen" as operator.') });
  await useSignInLink(tokenOf(first.out), "a long enough password", null);

  const second = await run("invite", "--merchant", "tromso", "--email", "Ola@nord.example", "--role", "auditor");
  expect(second).toMatchObject({ code: 0, err: "", out: expect.stringContaining("They have a place at another merchant already") });
  expect(second.out).not.toContain("/welcome/");
  const { personId } = (await signInWithPassword("ola@nord.example", "a long enough password", "1.1.1.1"))!;
  expect(await placesOf(personId)).toMatchObject([{ name: "Bergen" }, { name: "Tromso" }]);
  expect(await run("invite", "--merchant", "tromso", "--email", "ola@nord.example", "--role", "auditor")).toMatchObject({ code: 1, err: expect.stringContaining('is a member of "tromso" already') });
  const { findings } = await fsck();
  expect(findings).toEqual([]);
});

test.each([
  [["invite", "--merchant", "cafe-nord", "--email", "x@x.example", "--role", "owner"], '"owner" is no role: admin, operator, auditor.'],
  [["invite", "--merchant", "nowhere", "--email", "x@x.example", "--role", "admin"], 'There is no merchant "nowhere".'],
  [["create", "--name", "X", "--admin-email", "x@x.example", "--time-zone", "Moon"], '"Moon" is no time zone'],
  [["link", "--merchant", "cafe-nord", "--email", "x@x.example"], "x@x.example is no member of this merchant."],
  [["create", "--nam", "X"], "Unknown option"],
])("%j is told what is wrong", async (args, told) => {
  expect(await run(...args)).toMatchObject({ code: 1, out: "", err: expect.stringContaining(told) });
});
