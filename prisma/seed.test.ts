import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { secretHash } from "../lib/identity/agents";
import { passwordFits } from "../lib/identity/passwords";
import { testDatabase } from "../lib/testing/database";
import { everyMerchant } from "../lib/testing/owner";
import type { CreditProposal } from "./credit-proposals";

type Seeded = { merchant: { id: string; slug: string }; members: { role: string; email: string; password: string }[]; agentKey: string; agent: { id: string; ownerEmail: string } };

let databaseUrl: string;
const folder = mkdtempSync(join(tmpdir(), "seed-"));
beforeAll(async () => {
  databaseUrl = (await testDatabase()).appUrl;
});
afterAll(() => rmSync(folder, { recursive: true }));

function seed(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "prisma/seed.ts", "--out", folder, ...args], { env: { ...process.env, DATABASE_URL: databaseUrl }, encoding: "utf8" });
  return { status, said: stdout + stderr };
}
const kept = (): string => readFileSync(join(folder, "seed.json"), "utf8");
const seeded = (): Seeded & { other: Seeded } => JSON.parse(kept()) as Seeded & { other: Seeded };

it("seeds two merchants through the log, and leaves logins, keys and credit notes to their owner alone", async () => {
  expect(seed()).toEqual({ status: 0, said: "Regent Gift Co.: 1500 orders, 151 credit notes\nHarbour Lane: 30 orders, 9 credit notes\n" });
  for (const name of ["seed.json", "credit-notes.json"]) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  const { other, ...first } = seeded();
  expect(first.members.map(({ role }) => role)).toEqual(["admin", "operator", "operator", "auditor"]);
  for (const { merchant, members, agentKey, agent } of [first, other]) {
    const entries = await everyMerchant().entry.findMany({ where: { merchantId: merchant.id }, orderBy: { seq: "asc" } });
    expect(entries.map(({ type }) => type)).toEqual(["log.opened", "policy.published", ...members.map(() => "member.added"), "agent.created", "key.created"]);
    for (const { email, password } of members) {
      const person = await everyMerchant().person.findUniqueOrThrow({ where: { email } });
      expect(await passwordFits(person.passwordHash, password)).toBe(true);
    }
    const key = await everyMerchant().agentKey.findUniqueOrThrow({ where: { secretHash: secretHash(agentKey) } });
    expect(key).toMatchObject({ merchantId: merchant.id, agentId: agent.id, scopes: ["read", "stage:refund", "log:read"] });
    expect(members).toContainEqual(expect.objectContaining({ role: "admin", email: agent.ownerEmail }));
  }
});

it("names orders and lines that are there in every credit note", async () => {
  const proposals = JSON.parse(readFileSync(join(folder, "credit-notes.json"), "utf8")) as CreditProposal[];
  const orders = await everyMerchant().order.findMany({ where: { merchantId: seeded().merchant.id, number: { in: proposals.map(({ order }) => order) } }, include: { lines: { orderBy: { position: "asc" } } } });
  const byNumber = new Map(orders.map((order) => [order.number, order]));
  for (const { order, lines } of proposals) {
    for (const { index, title, quantity } of lines) {
      const line = byNumber.get(order)?.lines[index];
      expect(line?.title).toBe(title);
      expect(line?.quantity).toBeGreaterThanOrEqual(quantity);
    }
  }
});

it("keeps everything when it runs again, and says so when it would mix two shops", async () => {
  const before = [kept(), await everyMerchant().entry.count(), await everyMerchant().order.count(), await everyMerchant().person.count()];
  expect(seed()).toEqual({ status: 0, said: "" });
  expect(seed("--data", "nowhere.csv")).toEqual({ status: 1, said: "This demo was seeded from another shop; start over with --reset.\n" });
  expect([kept(), await everyMerchant().entry.count(), await everyMerchant().order.count(), await everyMerchant().person.count()]).toEqual(before);
});

it("makes no second merchant where its logins are lost", () => {
  rmSync(join(folder, "seed.json"));
  expect(seed()).toMatchObject({ status: 1, said: expect.stringContaining("start over with --reset") as string });
});
