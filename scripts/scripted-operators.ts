import { chromium, type Browser, type Locator, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { closeDatabase, tenant } from "../lib/database/client";
import { databaseNow } from "../lib/database/transactions";
import { publishPolicy } from "../lib/guardrails/publish";
import { readPolicy } from "../lib/guardrails/queries";
import { DEFAULT_RULES } from "../lib/guardrails/schema";
import { formatMoney } from "../lib/kernel/money";
import { browserOptions } from "./browser.mjs";

// The operators of a running demo, each in a browser, decide everything until nothing waits; then log, store and payments are compared.

type Member = { role: string; email: string; password: string };
type Demo = { url: string; databaseUrl: string; merchant: { id: string }; members: Member[] };

const USAGE = "npm run operators -- [--demo .data/demo.json] [--undo-seconds N] [--patience SECONDS]";
/** One change in so many is rejected. */
const REJECTED = 9;
/** With fewer rows than these in sight, older ones are asked for. */
const FEW = 10;
const BRIEFLY = 2000;

class Operator {
  readonly did = { approve: 0, reject: 0, lookAgain: 0 };

  private constructor(readonly page: Page, private readonly shared: { busyAt: number }) {}

  static async signIn(browser: Browser, url: string, { email, password }: Member, shared: { busyAt: number }): Promise<Operator> {
    const page = await (await browser.newContext({ baseURL: url })).newPage();
    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/changes");
    return new Operator(page, shared);
  }

  /** Until nobody has decided anything for so long, with nothing waiting. */
  async work(patienceMs: number): Promise<void> {
    while (Date.now() - this.shared.busyAt < patienceMs) {
      if (await this.open()) await this.decide();
      else await this.page.waitForTimeout(BRIEFLY / 4);
    }
  }

  /** Opens what was refused, else any row: two operators rarely take the same. False where nothing waits. */
  private async open(): Promise<boolean> {
    const refused = this.page.getByRole("status", { name: "Taking effect" }).getByRole("button", { name: "Look again" });
    if (await pressed(refused)) {
      this.did.lookAgain++;
      return true;
    }
    await pressed(this.page.getByRole("button", { name: /new above|decided elsewhere/ }));
    const rows = this.page.locator("[data-change]").filter({ hasNotText: "decided" });
    if ((await rows.count()) < FEW) await pressed(this.page.getByRole("button", { name: "Load more" }));
    const count = await rows.count();
    return count > 0 && pressed(rows.nth(Math.floor(Math.random() * count)));
  }

  /** Signs what may be signed, but for one in so many; rejects what may not. Where nothing is left to do, the list is read afresh. */
  private async decide(): Promise<void> {
    const bar = this.page.getByLabel("Decision", { exact: true });
    const [approve, reject, again] = [/^Approve/, /^Reject/, /^Look again/].map((name) => bar.getByRole("button", { name })) as [Locator, Locator, Locator];
    await approve.or(reject).or(again).first().waitFor({ timeout: BRIEFLY }).catch(() => undefined);
    if (await pressed(again, 100)) {
      this.did.lookAgain++;
      return this.decide();
    }
    const mayApprove = await approve.isVisible();
    if (!mayApprove && !(await reject.isVisible())) return void (await this.page.goto("/changes"));
    if (mayApprove && Math.random() * REJECTED >= 1) await this.sign(approve);
    else await this.reject(reject, mayApprove ? "No proof of damage." : "Amount too high.");
  }

  /** The first moment of a change takes no press, so the button is pressed until what was on screen has gone. */
  private async sign(approve: Locator): Promise<void> {
    const digest = await this.digest();
    for (let tries = 0; tries < 5 && (await this.digest()) === digest && (await pressed(approve)); tries++) {
      await this.page.waitForFunction((before) => document.querySelector("[data-digest]")?.getAttribute("data-digest") !== before || !document.querySelector("footer")?.textContent?.includes("Approve"), digest, { timeout: BRIEFLY / 4 }).catch(() => undefined);
    }
    this.count("approve");
  }

  private async reject(button: Locator, reason: string): Promise<void> {
    const dialog = this.page.getByRole("dialog", { name: /^Reject the refund/ });
    for (let tries = 0; tries < 5 && !(await dialog.isVisible()) && (await pressed(button)); tries++) {
      await dialog.waitFor({ timeout: BRIEFLY / 4 }).catch(() => undefined);
    }
    if (!(await dialog.isVisible())) return;
    await dialog.getByRole("textbox").fill(reason);
    if (await pressed(dialog.getByRole("button", { name: "Reject", exact: true }))) this.count("reject");
    else await this.page.keyboard.press("Escape");
  }

  private digest(): Promise<string | null> {
    return this.page.locator("[data-digest]").getAttribute("data-digest", { timeout: BRIEFLY }).catch(() => null);
  }

  private count(deed: "approve" | "reject"): void {
    this.did[deed]++;
    this.shared.busyAt = Date.now();
  }
}

/** Whether it was there to be pressed. */
async function pressed(button: Locator, timeout = BRIEFLY): Promise<boolean> {
  if (!(await button.first().isVisible())) return false;
  return button.first().click({ timeout }).then(() => true, () => false);
}

async function publishUndoSeconds(merchantId: string, seconds: number): Promise<void> {
  const { policyVersion } = await tenant(merchantId).head.findUniqueOrThrow({ where: { merchantId } });
  const { rules } = await readPolicy(merchantId, policyVersion);
  const ctx = { merchantId, actor: { kind: "system", id: "setup" }, now: await databaseNow(), requestId: "scripted-operators" } as const;
  const { version } = await publishPolicy(ctx, { ...DEFAULT_RULES, ...rules, undo_seconds: seconds });
  console.log(`Policy version ${version}: an approval takes effect after ${seconds} s.`);
}

type Sums = { currency: string; log: bigint; store: bigint; payments: bigint };

/** What went out, to the penny, by the log's applied changes, by the store's refunds and by the payments. */
async function compare(merchantId: string): Promise<boolean> {
  const types = await tenant(merchantId).$queryRaw<{ type: string; count: number }[]>`
    SELECT type, count(*)::int AS count FROM entry WHERE merchant_id = ${merchantId} AND type LIKE 'change.%' GROUP BY type ORDER BY type`;
  const states = await tenant(merchantId).change.groupBy({ by: ["state"], where: { merchantId }, _count: true, _sum: { amountMinor: true } });
  console.log(`Entries  ${types.map(({ type, count }) => `${type.slice("change.".length)} ${count}`).join(", ")}`);
  console.log(`Changes  ${states.map(({ state, _count }) => `${state} ${_count}`).join(", ")}`);
  const sums = await tenant(merchantId).$queryRaw<Sums[]>`
    SELECT p.currency, sum(p.refunded_minor)::bigint AS payments,
           (SELECT coalesce(sum(r.amount_minor), 0) FROM store_refund r WHERE r.merchant_id = ${merchantId} AND r.currency = p.currency)::bigint AS store,
           (SELECT coalesce(sum((s.entry::jsonb -> 'data' ->> 'total')::bigint), 0) FROM entry s JOIN entry a USING (merchant_id, subject)
             WHERE s.merchant_id = ${merchantId} AND s.type = 'change.staged' AND a.type = 'change.applied' AND s.entry::jsonb -> 'data' ->> 'currency' = p.currency)::bigint AS log
      FROM payment p WHERE p.merchant_id = ${merchantId} GROUP BY p.currency`;
  for (const { currency, log, store, payments } of sums) {
    const [a, b, c] = [log, store, payments].map((amountMinor) => formatMoney({ amountMinor, currency }));
    console.log(`${currency}      log ${a}, store ${b}, payments ${c}`);
  }
  return sums.every(({ log, store, payments }) => log === store && store === payments);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { demo: { type: "string", default: ".data/demo.json" }, "undo-seconds": { type: "string" }, patience: { type: "string", default: "20" } } });
  const demo = JSON.parse(readFileSync(values.demo, "utf8")) as Demo;
  process.env.DATABASE_URL = demo.databaseUrl;
  if (values["undo-seconds"] !== undefined) await publishUndoSeconds(demo.merchant.id, Number(values["undo-seconds"]));
  const options = browserOptions();
  if (!options) throw new Error("There is no browser to work in.");
  const browser = await chromium.launch(options);
  const started = Date.now();
  try {
    const shared = { busyAt: started };
    const operators = await Promise.all(demo.members.filter(({ role }) => role === "operator").map((member) => Operator.signIn(browser, demo.url, member, shared)));
    await Promise.all(operators.map((operator) => operator.work(Number(values.patience) * 1000)));
    for (const { did } of operators) console.log(`Operator approved ${did.approve}, rejected ${did.reject}, looked again ${did.lookAgain}`);
    console.log(`${((shared.busyAt - started) / 1000).toFixed(0)} s from the first sign-in to the last decision`);
  } finally {
    await browser.close();
  }
  if (!(await compare(demo.merchant.id))) throw new Error("Log, store and payments differ.");
}

main()
  .catch((error: Error) => {
    console.error(`${error.message}\n${USAGE}`);
    process.exitCode = 1;
  })
  .finally(closeDatabase);
