import AxeBuilder from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { approve, bar, becomes, dialog, expect, openChange, opens, press, test } from "./story";
import { openShop, sell, someEmail } from "./shop";

const LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function isClean(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(LEVELS).analyze();
  expect(violations.map(({ id, nodes }) => `${what}: ${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual([]);
}

const SIZES = { "a desk": { viewport: { width: 1280, height: 800 } }, "a phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } };

for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, options] of Object.entries(SIZES)) {
    test(`every screen is free of accessibility faults, ${colorScheme}, on ${size}`, async ({ enter, browser, baseURL }) => {
      test.slow();
      const nobody = await browser.newContext({ baseURL, colorScheme, ...options });
      const guest = await nobody.newPage();
      await guest.goto("/sign-in");
      await isClean(guest, "sign-in");
      await nobody.close();

      const shop = await openShop({ undo_seconds: 0 });
      const order = await sell(shop, [{ title: "Oak bench", quantity: 4, paidMinor: 20_000n }, { title: "Linen apron", quantity: 1, paidMinor: 2499n }], 450n);
      const note = "Arrived broken\u200b. <b>Approve</b> this: https://example.com";
      const applied = await shop.agent.propose(order, { lines: [{ lineId: order.lineIds[1]!, quantity: 1, restock: "returned" }] });
      const waiting = await shop.agent.propose(order, { lines: [{ lineId: order.lineIds[0]!, quantity: 3, restock: "none" }], note });
      const page = await enter(shop.maya, { colorScheme, ...options });
      await openChange(page, applied.id);
      await approve(page, "£24.99");
      await becomes(page, applied.id, "applied");

      await page.goto("/changes");
      await expect(page.getByRole("list", { name: "Changes" })).toBeVisible();
      await isClean(page, "changes");
      await openChange(page, applied.id);
      await isClean(page, "an applied change");
      await openChange(page, waiting.id);
      await expect(bar(page).getByRole("button", { name: /^Approve/ })).toBeVisible();
      await isClean(page, "a change");
      await press(page, /^Lower…/);
      await page.getByRole("form", { name: "Lower and approve" }).getByLabel("Oak bench").fill("4");
      await isClean(page, "a change that is being lowered, with its error");
      await page.keyboard.press("Escape");
      await expect(async () => {
        await bar(page).getByRole("button", { name: /^Reject/ }).click({ timeout: 2000 });
        await expect(page.getByRole("dialog")).toBeVisible({ timeout: 2000 });
      }).toPass();
      await page.getByRole("dialog").getByRole("button", { name: "Reject", exact: true }).click();
      await settled(page);
      await isClean(page, "the reject dialog, with its error");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await page.goto("/orders");
      await isClean(page, "orders");
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
      await settled(page);
      await isClean(page, "the keys");
      await page.goto(`/orders/${order.id}`);
      await isClean(page, "an order");
      await expect(async () => {
        await page.getByRole("button", { name: "Propose a refund" }).click({ timeout: 2000 });
        await expect(page.getByLabel("Pieces of Oak bench")).toBeVisible({ timeout: 2000 });
      }).toPass();
      await page.getByLabel("Pieces of Oak bench").fill("9");
      await isClean(page, "a proposal from an order, with its error");
      await page.goto("/history");
      await expect(page.getByRole("table", { name: "Decided changes" })).toBeVisible();
      await isClean(page, "history");
      await page.goto("/policy");
      await isClean(page, "a policy that is read only");
      await page.goto("/audit");
      await page.getByRole("button", { name: /^Hash and bytes/ }).first().click();
      await isClean(page, "audit");
      await page.goto("/changes/chg-0000000000");
      await isClean(page, "what is not there");
    });

    test(`every screen of an admin is free of them, with its dialogs, ${colorScheme}, on ${size}`, async ({ enter, browser, baseURL }) => {
      test.slow();
      const shop = await openShop();
      await governs(await enter(shop.ines, { colorScheme, ...options }), browser, { baseURL, colorScheme, ...options });
    });
  }
}

/** Settings and Agents, and the page that a one-time link leads to. */
async function governs(page: Page, browser: Browser, options: BrowserContextOptions): Promise<void> {
  await page.goto("/settings");
  await isClean(page, "settings");
  for (const button of ["Change the role of Tom Adeyemi", "Remove Tom Adeyemi"]) await looksClean(page, button);
  await opens(page, "Add a member…");
  await page.getByRole("button", { name: "Add the member" }).click();
  await expect(dialog(page).getByRole("alert")).toBeVisible();
  await settled(page);
  await isClean(page, "adding a member, with its errors");
  await page.getByLabel("E-mail").fill(someEmail());
  await page.getByLabel(/^Name/).fill("Nia Okafor");
  await page.getByRole("button", { name: "Add the member" }).click();
  const link = await dialog(page).locator("code").innerText();
  await isClean(page, "what is shown once");

  await page.goto("/agents");
  await isClean(page, "agents");
  for (const button of ["Create a key for returns-desk", /^Rotate key/, /^Revoke key/]) await looksClean(page, button);

  await page.goto("/policy");
  const lines = page.getByLabel(/^A refund has at most/).getByRole("textbox");
  await expect(async () => {
    await lines.fill("");
    await lines.fill("none");
    await expect(page.getByText("One figure does not fit yet.")).toBeVisible({ timeout: 1000 });
  }).toPass();
  await isClean(page, "a policy with a figure that does not fit");
  await lines.fill("5");
  await page.getByRole("button", { name: "Try it" }).click();
  await expect(page.getByText("Nothing was ever proposed")).toBeVisible();
  await isClean(page, "a draft, tried");
  await looksClean(page, "Publish…");
  await looksClean(page, "Pause: nothing is staged or applied");

  const nobody = await browser.newContext(options);
  const guest = await nobody.newPage();
  await guest.goto(link);
  await expect(guest.getByRole("heading", { name: /^Welcome/ })).toBeVisible();
  await isClean(guest, "a one-time link");
  await guest.goto(`${link}x`);
  await expect(guest.getByRole("heading", { name: "This link has ended" })).toBeVisible();
  await isClean(guest, "a link that has ended");
  await nobody.close();
}

async function looksClean(page: Page, button: string | RegExp): Promise<void> {
  await opens(page, button);
  await settled(page);
  await isClean(page, `the dialog of ${button}`);
  await page.getByRole("button", { name: "Go back" }).click();
  await expect(dialog(page)).toHaveCount(0);
}

/** Colours are judged when nothing fades any more. */
const settled = (page: Page): Promise<unknown> => page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))));
