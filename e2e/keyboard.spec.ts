import type { Page } from "@playwright/test";
import { expect, readChange, row, test, types } from "./story";
import { openShop, sell, type Change, type Shop } from "./shop";

/** One change for each amount, the newest first in the queue. */
async function proposeEach(shop: Shop, pounds: number[]): Promise<Change[]> {
  const changes: Change[] = [];
  for (const each of pounds.toReversed()) changes.unshift(await shop.agent.propose(await sell(shop), BigInt(each * 100)));
  return changes;
}

const onScreen = (page: Page, pounds: number) => page.locator("[data-digest]").getByText(`−£${pounds}.00`).filter({ visible: true }).first();
const foot = (page: Page) => page.getByRole("status", { name: "Taking effect" });

/** A key in the first moment of a change is not taken; it is pressed until it shows. */
async function key(page: Page, name: string, shows: () => Promise<unknown>): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(name);
    await shows();
  }).toPass();
}

/** Everything that a key could have started has been drawn. */
const drawn = (page: Page): Promise<void> => page.evaluate(() => new Promise<void>((resolve) => { requestAnimationFrame(() => requestAnimationFrame(() => resolve())); }));

test("a whole triage without a mouse", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 60 });
  const [four, three, two, one] = await proposeEach(shop, [4, 3, 2, 1]);
  const page = await enter(shop.maya);
  await page.goto("/changes");
  await expect(onScreen(page, 4)).toBeVisible();

  await key(page, "j", () => expect(onScreen(page, 3)).toBeVisible({ timeout: 2000 }));
  await page.keyboard.press("k");
  await expect(onScreen(page, 4)).toBeVisible();
  await key(page, "a", () => expect(onScreen(page, 3)).toBeVisible({ timeout: 2000 }));
  await expect(foot(page)).toContainText(/£4\.00.*Takes effect in/);
  await page.keyboard.press("z");
  await expect(foot(page)).toContainText(/£4\.00.*Taken back, no money moved/);
  expect(types(await readChange(page, four!.id))).toEqual(["staged", "approved", "retracted"]);

  await key(page, "r", () => expect(page.getByRole("dialog")).toBeVisible({ timeout: 2000 }));
  await expect(page.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("No proof of damage, said azjkr?.");
  await page.keyboard.press("Control+Enter");
  await expect(onScreen(page, 2)).toBeVisible();
  await expect.poll(async () => types(await readChange(page, three!.id))).toEqual(["staged", "rejected"]);

  const newest = await sell(shop);
  await shop.agent.propose(newest, 500n);
  await expect(page.getByRole("button", { name: "1 new above" })).toBeVisible();
  await expect(row(page, newest.number)).toHaveCount(0);
  await page.keyboard.press("n");
  await expect(row(page, newest.number)).toBeVisible();
  await expect(onScreen(page, 2)).toBeVisible();

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("a");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  for (const change of [two, one]) expect(types(await readChange(page, change!.id))).toEqual(["staged"]);
});

test("a held key, a modifier and a text field do nothing", async ({ enter }) => {
  const shop = await openShop();
  const changes = await proposeEach(shop, [4, 3, 2, 1]);
  const page = await enter(shop.maya);
  await page.goto("/changes");
  await expect(onScreen(page, 4)).toBeVisible();
  await expect(async () => {
    await page.keyboard.down("j");
    await page.keyboard.down("j");
    await page.keyboard.up("j");
    await expect(onScreen(page, 3)).toBeVisible({ timeout: 2000 });
  }).toPass();
  for (const combination of ["Control+a", "Alt+a", "Meta+a", "Shift+A", "Control+j", "Alt+r", "Control+z"]) await page.keyboard.press(combination);
  await drawn(page);
  await expect(onScreen(page, 3)).toBeVisible();

  await key(page, "r", () => expect(page.getByRole("textbox")).toBeFocused({ timeout: 2000 }));
  await page.keyboard.type("jkazn?");
  await expect(page.getByRole("textbox")).toHaveValue("jkazn?");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goto("/orders");
  await page.getByRole("searchbox").fill("");
  await page.keyboard.type("?jka");
  await expect(page.getByRole("searchbox")).toHaveValue("?jka");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  for (const { id } of changes) expect(types(await readChange(page, id))).toEqual(["staged"]);
});

test("single keys can be switched off, and stay off", async ({ enter }) => {
  const shop = await openShop();
  const changes = await proposeEach(shop, [2, 1]);
  const page = await enter(shop.maya);
  await page.goto("/changes");
  await expect(onScreen(page, 2)).toBeVisible();
  await key(page, "?", () => expect(page.getByRole("dialog")).toBeVisible({ timeout: 2000 }));
  await page.getByRole("button", { name: "Switch off single keys" }).click();
  await page.getByRole("button", { name: "Go back" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const nothing = async () => {
    for (const name of ["j", "a", "r", "z", "n", "?"]) await page.keyboard.press(name);
    await drawn(page);
    await expect(onScreen(page, 2)).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  await nothing();
  await page.reload();
  await expect(onScreen(page, 2)).toBeVisible();
  await nothing();
  for (const { id } of changes) expect(types(await readChange(page, id))).toEqual(["staged"]);

  await page.getByRole("button", { name: /account and preferences/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Single-key shortcuts" }).click();
  await page.keyboard.press("Escape");
  await key(page, "j", () => expect(onScreen(page, 1)).toBeVisible({ timeout: 2000 }));
});
