import type { Page } from "@playwright/test";
import { bar, demo, dialog, expect, openChange, opens, test } from "./story";
import { Agent, openShop, sell } from "./shop";

/** The secret that a dialog shows once. */
async function secretOf(page: Page): Promise<string> {
  const secret = await dialog(page).locator("code").innerText();
  expect(secret).toMatch(/^usk_[\w-]{43}$/);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(await page.content()).not.toContain(secret);
  return secret;
}

const answerTo = async (secret: string): Promise<number> => (await fetch(`${demo.url}/api/v1/policy`, { headers: { authorization: `Bearer ${secret}` } })).status;

test("a key is made, used, given away and revoked; who owned or made it may not approve", async ({ enter }) => {
  const shop = await openShop();
  const [ines, maya, tom] = await Promise.all([enter(shop.ines), enter(shop.maya), enter(shop.tom)]);
  await ines.goto("/agents");
  await opens(ines, "Create an agent…");
  await ines.getByLabel("Name").fill("night-desk");
  await ines.getByRole("button", { name: "Create the agent" }).click();
  await expect(ines.getByRole("heading", { name: "night-desk" })).toBeVisible();

  await opens(ines, "Create a key for night-desk");
  await ines.getByLabel("Owner").selectOption({ label: "Maya Lindqvist" });
  await expect(dialog(ines).getByRole("status")).toHaveText("Maya Lindqvist and you may then not approve what it proposes. Tom Adeyemi can.");
  await ines.getByRole("button", { name: "Create the key" }).click();
  const first = await secretOf(ines);
  const block = ines.locator("section", { has: ines.getByRole("heading", { name: "night-desk" }) });
  await expect(block.getByRole("row").last()).toContainText(/Works.*reads orders, proposes refunds.*Maya Lindqvist.*Ines Carvalho/);

  const { id } = await new Agent(first).propose(await sell(shop), 1000n);
  for (const page of [maya, ines]) {
    await openChange(page, id);
    await expect(bar(page)).toContainText("so you may not approve this. Tom Adeyemi can.");
    await expect(bar(page).getByRole("button", { name: /Approve/ })).toHaveCount(0);
  }
  await openChange(tom, id);
  await expect(bar(tom).getByRole("button", { name: /^Approve/ })).toBeVisible();

  await ines.goto("/agents");
  const keyId = await block.getByRole("rowheader").innerText();
  await opens(ines, `Rotate key ${keyId}`);
  await ines.getByLabel("Owner").selectOption({ label: "Tom Adeyemi" });
  await expect(dialog(ines).getByRole("status")).toHaveText("Maya Lindqvist, Tom Adeyemi and you may then not approve what it proposes. Nobody is left who can: add a member who decides.");
  await ines.getByLabel("Owner").selectOption({ label: "Maya Lindqvist" });
  await ines.getByRole("button", { name: "Rotate", exact: true }).click();
  const second = await secretOf(ines);
  expect([await answerTo(first), await answerTo(second)]).toEqual([401, 200]);

  await opens(ines, `Revoke key ${keyId}`);
  await expect(ines.getByRole("button", { name: "Go back" })).toBeFocused();
  await ines.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(block.getByRole("row").last()).toContainText("Revoked");
  await expect(block.getByRole("button", { name: /^(Rotate|Revoke) key/ })).toHaveCount(0);
  expect(await answerTo(second)).toBe(401);
  await ines.goto("/audit");
  for (const what of ["Agent created", "Key made", "Key rotated", "Key revoked"]) await expect(ines.getByRole("row", { name: what }).filter({ hasText: "night-desk" })).toHaveCount(1);
});

test("operators and auditors see agents and keys, and change none", async ({ enter }) => {
  const shop = await openShop();
  for (const login of [shop.tom, shop.helen]) {
    const page = await enter(login);
    await page.goto("/agents");
    await expect(page.getByRole("row").last()).toContainText(/Works.*Ines Carvalho/);
    await expect(page.getByRole("main").getByText("Only an admin changes agents and keys.")).toBeVisible();
    await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  }
});

test("a key that may do nothing is not made", async ({ enter }) => {
  const shop = await openShop();
  const ines = await enter(shop.ines);
  await ines.goto("/agents");
  await opens(ines, /^Create a key for/);
  for (const scope of ["Read orders", "Propose refunds"]) await ines.getByRole("checkbox", { name: scope }).uncheck();
  await ines.getByRole("button", { name: "Create the key" }).click();
  await expect(dialog(ines)).toContainText("Choose what it may do");
  await expect(dialog(ines).getByRole("alert")).toHaveText("Something here does not fit. No key was created.");
});
