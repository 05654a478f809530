import type { BrowserContext, Page } from "@playwright/test";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { addMember, removeMember } from "../lib/identity/members";
import { demo, expect, test } from "./story";
import { openShop, someEmail, type Shop } from "./shop";

type Claims = { email: string; email_verified: boolean; name: string };
const { oidc } = demo;

if (!oidc) {
  console.log("The server under test has no identity provider: its stories are not told. `npm test` gives it one."); // oxlint-disable-line no-console -- said to who runs the stories
} else {
  let provider: ChildProcess;
  test.describe.configure({ mode: "serial" });
  test.beforeAll(async () => {
    const { issuer, clientId, clientSecret } = oidc;
    const env = { ...process.env, PORT: new URL(issuer).port, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, REDIRECT_URI: `${demo.url}/api/auth/callback/oidc` };
    provider = fork("e2e/identity-provider.mjs", { env, silent: true });
    await once(provider, "message");
  });
  test.afterAll(() => void provider.kill());

  const knows = async (subject: string, claims: Claims): Promise<void> => {
    const answer = await fetch(`${oidc.issuer}/accounts/${subject}`, { method: "PUT", body: JSON.stringify(claims) });
    expect(answer.status).toBe(204);
  };

  /** Signs in at the provider, from our sign-in page and back, in a browser that nobody has used. */
  const enterAs = async (context: BrowserContext, subject: string): Promise<Page> => {
    await context.clearCookies();
    const page = await context.newPage();
    await page.goto("/sign-in?callbackUrl=/orders");
    await page.getByRole("button", { name: /^Continue with/ }).click();
    await page.waitForURL(`${oidc.issuer}/**`);
    await page.locator("[name=login]").fill(subject);
    await page.locator("[name=password]").fill("whatever it asks");
    await page.getByRole("button").first().click();
    await page.waitForURL(`${demo.url}/**`);
    return page;
  };

  const invited = async (shop: Shop, name: string): Promise<{ email: string; memberId: string }> => {
    const email = someEmail();
    const { memberId } = await addMember(shop.merchant.setup, { email, name, role: "operator" });
    return { email, memberId };
  };

  test("who was invited signs in by verified e-mail, and is known by subject from then on", async ({ context }) => {
    const shop = await openShop();
    const { email } = await invited(shop, "Ola Nordmann");
    await knows("ola", { email, email_verified: true, name: "Ola" });
    const page = await enterAs(context, "ola");
    await expect(page).toHaveURL(/\/orders$/);
    await expect(page.getByRole("button", { name: /^Ola Nordmann, operator/ })).toBeVisible();

    await knows("ola", { email: "another@elsewhere.example", email_verified: true, name: "Ola" });
    await expect((await enterAs(context, "ola")).getByRole("button", { name: /^Ola Nordmann, operator/ })).toBeVisible();

    await knows("impostor", { email, email_verified: true, name: "Ola" });
    await expect((await enterAs(context, "impostor")).getByText("have no place here")).toBeVisible();
  });

  test("an e-mail that nobody verified, one that nobody invited, and a member who was removed stay outside", async ({ context }) => {
    const shop = await openShop();
    const unverified = await invited(shop, "Not Verified");
    await knows("unverified", { email: unverified.email, email_verified: false, name: "U" });
    await knows("stranger", { email: someEmail(), email_verified: true, name: "S" });
    const gone = await invited(shop, "Gone Tomorrow");
    await knows("gone", { email: gone.email, email_verified: true, name: "G" });
    await expect((await enterAs(context, "gone")).getByRole("button", { name: /^Gone Tomorrow/ })).toBeVisible();
    await removeMember(shop.merchant.setup, { memberId: gone.memberId });

    for (const subject of ["unverified", "stranger", "gone"]) {
      const page = await enterAs(context, subject);
      await expect(page.getByRole("alert").filter({ hasText: "have no place here" })).toBeVisible();
      await page.goto("/orders");
      await expect(page).toHaveURL(/\/sign-in/);
    }
  });
}
