import type { Locator, Page } from "@playwright/test";
import { addMember } from "../lib/identity/members";
import { everyMerchant } from "../lib/testing/owner";
import { watch } from "./demo";
import { actionOf, approve, call, demo, dialog, expect, openChange, opens, signInQuickly, test } from "./story";
import { openShop, sell, someEmail } from "./shop";

const PASSWORD = "a phrase that is long enough";
const memberRow = (page: Page, name: string): Locator => page.getByRole("row", { name });

async function openSettings(page: Page): Promise<void> {
  await page.goto("/settings");
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
}

/** Adds a member as an admin would, and gives the link that is shown once. */
async function invite(page: Page, { email, name, role }: { email: string; name: string; role: string }): Promise<string> {
  await opens(page, "Add a member…");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel(/^Name/).fill(name);
  await page.getByRole("radio", { name: role }).check();
  await page.getByRole("button", { name: "Add the member" }).click();
  const link = await dialog(page).locator("code").innerText();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeVisible(); // what is shown once is not lost by a key
  await page.getByRole("button", { name: "Done" }).click();
  await expect(dialog(page)).toHaveCount(0);
  return link;
}

const setPassword = async (page: Page, first: string, again: string): Promise<void> => {
  await page.getByLabel("New password").fill(first);
  await page.getByLabel("The same again").fill(again);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
};

const types = async (merchantId: string): Promise<string[]> => (await everyMerchant().entry.findMany({ where: { merchantId }, orderBy: { seq: "asc" }, select: { type: true } })).map(({ type }) => type);

test("an invited person takes the link in a browser of their own, sets a password, and is in", async ({ enter, browser, baseURL }) => {
  const shop = await openShop();
  const ines = await enter(shop.ines);
  const email = someEmail();
  await openSettings(ines);
  const link = await invite(ines, { email, name: "Nia Okafor", role: "Auditor" });
  expect(link).toMatch(new RegExp(`^${demo.url}/welcome/[\\w-]{43}$`));
  await expect(memberRow(ines, "Nia Okafor")).toContainText("has not signed in yet");
  expect((await types(shop.merchant.id)).slice(-2)).toEqual(["member.added", "member.link_made"]);

  const context = await browser.newContext({ baseURL });
  const complaints: string[] = [];
  context.on("page", (page) => watch(page, complaints));
  const looked = await context.request.get(link);
  expect(looked.headers()).toMatchObject({ "referrer-policy": "no-referrer" });
  expect(looked.headers()["cache-control"]).toContain("no-store");
  await context.request.get(link); // looking spends nothing
  const own = await ines.context().newPage();
  await own.goto(link); // the admin who made it, signed in: nobody's link but Nia's
  await expect(own.getByRole("heading", { name: "This link is for Nia Okafor" })).toBeVisible();
  await expect(own.getByLabel("New password")).toHaveCount(0);
  await own.close();

  const nia = await context.newPage();
  const asked: string[] = [];
  nia.on("request", (request) => asked.push(new URL(request.url()).origin, request.headers().referer ?? ""));
  await nia.goto(link);
  await expect(nia.getByRole("heading", { name: "Welcome, Nia Okafor" })).toBeVisible();
  await expect(nia.getByText("Test shop")).toBeVisible();
  await setPassword(nia, "short", "shorter");
  await expect(nia.getByText("At least 12 characters", { exact: true })).toBeVisible();
  await expect(nia.getByText("The two are not the same")).toBeVisible();
  await setPassword(nia, PASSWORD, PASSWORD);
  await nia.waitForURL("**/changes");
  await expect(nia.getByRole("button", { name: /^Nia Okafor, auditor/ })).toBeVisible();
  await expect(nia.getByText("A one-time link set your password")).toBeVisible();
  await expect(nia.getByText(/^Made by Ines Carvalho, used /)).toBeVisible();
  expect(asked.filter((each) => each !== "" && each !== new URL(demo.url).origin && !each.startsWith(`${demo.url}/changes`))).toEqual([]);

  await nia.goto(link);
  await expect(nia.getByRole("heading", { name: "This link has ended" })).toBeVisible();
  await nia.goto("/settings");
  await expect(memberRow(nia, "Nia Okafor")).toContainText(/made by Ines Carvalho, .*; used /);
  await expect(nia.getByRole("main").getByText("only an admin changes them")).toBeVisible();
  await expect(nia.getByRole("main").getByRole("button")).toHaveCount(0);
  await context.clearCookies();
  await signInQuickly(context, { email, password: PASSWORD });
  expect(complaints).toEqual([]);
  await context.close();
});

test("a new role holds at the other browser's next click, and a removed person's next click is refused", async ({ enter }) => {
  const shop = await openShop();
  const { id } = await shop.agent.propose(await sell(shop), 1000n);
  const [ines, tom] = await Promise.all([enter(shop.ines), enter(shop.tom)]);
  await openChange(tom, id);
  const approval = await actionOf(tom, () => approve(tom, "£10.00"));
  const next = await shop.agent.propose(await sell(shop), 1000n);

  await openSettings(ines);
  await opens(ines, "Change the role of Tom Adeyemi");
  await ines.getByRole("radio", { name: "Auditor" }).check();
  await ines.getByRole("button", { name: "Change the role", exact: true }).click();
  await expect(memberRow(ines, "Tom Adeyemi")).toContainText("Auditor");
  await expect(dialog(ines)).toHaveCount(0);
  const again = { ...approval, fields: { ...approval.fields, changeId: next.id } };
  expect(await call(tom, again)).toMatchObject({ status: "refused", code: "forbidden" });

  await opens(ines, "Remove Tom Adeyemi");
  await expect(ines.getByRole("button", { name: "Go back" })).toBeFocused();
  await ines.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(dialog(ines)).toHaveCount(0);
  await expect(memberRow(ines, "Tom Adeyemi")).toHaveCount(0);
  expect(await call(tom, again)).toMatchObject({ status: "refused", code: "unauthenticated" });
  await tom.goto("/changes");
  await expect(tom).toHaveURL(/\/sign-in/);
  expect((await types(shop.merchant.id)).filter((type) => type.startsWith("member.")).slice(-2)).toEqual(["member.changed", "member.removed"]);
});

test("the last admin stays, and is told so", async ({ enter }) => {
  const shop = await openShop();
  const ines = await enter(shop.ines);
  await openSettings(ines);
  await opens(ines, "Remove Ines Carvalho");
  await ines.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(dialog(ines).getByRole("alert")).toHaveText("A merchant keeps at least one admin. Ines Carvalho was not removed.");
  await ines.getByRole("button", { name: "Go back" }).click();
  await expect(dialog(ines)).toHaveCount(0);
  await opens(ines, "Change the role of Ines Carvalho");
  await ines.getByRole("radio", { name: "Operator" }).check();
  await ines.getByRole("button", { name: "Change the role", exact: true }).click();
  await expect(dialog(ines).getByRole("alert")).toHaveText("A merchant keeps at least one admin. Ines Carvalho stays admin.");
});

test("an action of an admin, called by an operator, changes nothing", async ({ enter }) => {
  const shop = await openShop();
  const [ines, tom] = await Promise.all([enter(shop.ines), enter(shop.tom)]);
  await openSettings(ines);
  await opens(ines, "Change the role of Tom Adeyemi");
  await ines.getByRole("radio", { name: "Operator" }).check();
  const toOperator = await actionOf(ines, () => ines.getByRole("button", { name: "Change the role", exact: true }).click());
  expect(await call(tom, { ...toOperator, fields: { ...toOperator.fields, role: "admin" } })).toMatchObject({ status: "refused", code: "forbidden" });
  await openSettings(ines);
  await expect(memberRow(ines, "Tom Adeyemi")).toContainText("Operator");
});

test("a person of two shops goes from one to the other, and the sign-in left behind is over", async ({ enter, playwright }) => {
  const [here, there] = [await openShop(), await openShop()];
  const ines = await enter(here.ines);
  await openSettings(ines);
  await opens(ines, "Add a member…");
  await ines.getByLabel("E-mail").fill(there.maya.email);
  await ines.getByLabel(/^Name/).fill("Maya Lindqvist");
  await ines.getByRole("radio", { name: "Auditor" }).check();
  await ines.getByRole("button", { name: "Add the member" }).click();
  await expect(dialog(ines)).toContainText("signs in at another merchant already");
  await addMember(here.merchant.setup, { email: there.maya.email, name: "Maya Lindqvist", role: "auditor" });

  const { id } = await there.agent.propose(await sell(there), 1000n);
  const maya = await enter(there.maya);
  await maya.goto("/orders");
  const role = async () => (await maya.getByRole("button", { name: /account and preferences/ }).getAttribute("aria-label"))?.split(/[,:] /)[1];
  const go = async () => {
    await maya.getByRole("button", { name: /account and preferences/ }).click();
    await maya.getByRole("menuitemradio", { name: "Test shop", checked: false }).click();
    await maya.waitForURL("**/changes");
  };
  const before = await role();
  const copied = await playwright.request.newContext({ baseURL: demo.url, storageState: await maya.context().storageState() });
  await go();
  await expect.poll(role).not.toBe(before);
  expect((await copied.get("/api/console/changes")).status()).toBe(401);
  await copied.dispose();
  if ((await role()) === "auditor") await go();
  await expect.poll(role).toBe("operator");
  expect((await maya.request.get(`/api/console/changes/${id}`)).status()).toBe(200);
});
