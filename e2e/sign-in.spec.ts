import AxeBuilder from "@axe-core/playwright";
import { expect, member, signIn, test } from "./demo";

test("whoever is not signed in is led to the sign-in page, and back to where they wanted to go", async ({ page }) => {
  await page.goto("/orders");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Forders$/);
  const { email, password } = member("operator");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/orders$/);
});

test("a wrong password and an unknown e-mail are refused in the same words", async ({ page }) => {
  await page.goto("/sign-in");
  for (const email of [member("operator").email, "nobody@example.com"]) {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "do not match" })).toBeVisible();
    await expect(page).toHaveURL(/\/sign-in/);
  }
});

test("a cookie that no sign-in stands behind opens nothing", async ({ context, page, baseURL }) => {
  await context.addCookies([{ name: "next-auth.session-token", value: "made-up", url: baseURL ?? "" }]);
  await page.goto("/changes");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("pages carry a strict content security policy, new for each answer", async ({ request }) => {
  const policies = await Promise.all([1, 2].map(async () => (await request.get("/sign-in")).headers()["content-security-policy"] ?? ""));
  for (const policy of policies) expect(policy).toMatch(/script-src 'self' 'nonce-[^']{24}' 'strict-dynamic';/);
  expect(policies[0]).not.toBe(policies[1]);
});

test("links are built from the configured address, whatever Host says", async ({ request, baseURL }) => {
  const answer = await request.get("/changes", { headers: { host: "evil.example", "x-forwarded-host": "evil.example" }, maxRedirects: 0 });
  expect(new URL(answer.headers().location ?? "", baseURL).href).toBe(`${baseURL}/sign-in?callbackUrl=%2Fchanges`);
});

test("the sign-in page has no accessibility fault", async ({ page }) => {
  await page.goto("/sign-in");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test("signing out ends the sign-in", async ({ page, context }) => {
  await signIn(page, member("auditor"));
  const cookies = await context.cookies();
  await page.getByRole("button", { name: /account and preferences/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await context.addCookies(cookies);
  await page.goto("/changes");
  await expect(page).toHaveURL(/\/sign-in/);
});
