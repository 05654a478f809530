import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { addMember } from "../lib/identity/members";
import { everyMerchant } from "../lib/testing/owner";
import { dialog, expect, opens, test } from "./story";
import { openShop, sell, someEmail, type Login, type Shop } from "./shop";

/** A second admin of the shop, with the password of the first. */
async function secondAdmin({ merchant, ines }: Shop): Promise<Login> {
  const email = someEmail();
  const { personId } = await addMember(merchant.setup, { email, name: "Olu Bankole", role: "admin" });
  const { passwordHash } = await everyMerchant().person.findUniqueOrThrow({ where: { email: ines.email } });
  await everyMerchant().person.update({ where: { id: personId }, data: { passwordHash } });
  return { email, password: ines.password };
}

async function openPolicy(page: Page): Promise<void> {
  await page.goto("/policy");
  await expect(page.getByRole("heading", { name: "Policy", level: 1 })).toBeVisible();
}

const isClean = async (page: Page) => expect((await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze()).violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
const perRefund = (page: Page): Locator => page.getByRole("group", { name: /^An agent may ask for at most … per refund/ }).getByLabel(/^GBP/);
const panel = (page: Page): Locator => page.getByLabel("The draft", { exact: true });
const inForce = (page: Page, version: number): Promise<void> => expect(page.getByText(`Version ${version}, in force since`)).toBeVisible();
/** Types until the page has taken it: in its first moment it does not. */
const types = (field: Locator, text: string, seen: Locator): Promise<void> => expect(async () => {
  await field.fill("");
  await field.fill(text);
  await expect(seen).toBeVisible({ timeout: 1000 });
}).toPass();

async function confirms(page: Page, version: number): Promise<void> {
  await opens(page, "Confirm…");
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await inForce(page, version);
}

async function tries(page: Page, count: number): Promise<void> {
  await panel(page).getByRole("button", { name: "Try it" }).click();
  await expect(page.getByText(`All ${count} that were proposed are judged.`)).toBeVisible();
}

test("a rule is tried, proposed, confirmed by a second admin and rolled back the same way", async ({ enter }) => {
  test.slow();
  const shop = await openShop();
  const olu = await secondAdmin(shop);
  const order = await sell(shop);
  await shop.agent.propose(order, 6000n);
  await shop.agent.propose(await sell(shop), 2000n);
  const [ines, second, tom] = await Promise.all([enter(shop.ines), enter(olu), enter(shop.tom)]);

  await openPolicy(ines);
  await types(perRefund(ines), "50.005", ines.getByText("no amount of this currency, as in 0.00"));
  await expect(panel(ines)).toContainText("One figure does not fit yet. Nothing can be published.");
  await expect(panel(ines).getByRole("button", { name: "Publish…" })).toBeDisabled();
  await perRefund(ines).fill("50.00");
  await expect(panel(ines)).toContainText("was 500.00→now 50.00");
  await tries(ines, 2);
  const refused = ines.getByRole("row", { name: /Were staged, would be refused/ });
  await expect(refused.getByRole("cell")).toHaveText(["1", "60.00"]);
  await refused.getByRole("button").click();
  await expect(ines.getByRole("list", { name: "Were staged, would be refused" }).getByRole("link", { name: order.number })).toBeVisible();
  await isClean(ines);
  await opens(ines, "Publish…");
  await expect(dialog(ines)).toContainText("It waits until Olu Bankole confirms it. Until then version 1 is in force.");
  await dialog(ines).getByRole("button", { name: "Propose" }).click();
  await expect(ines.getByRole("heading", { name: "Your proposal waits for another admin" })).toBeVisible();
  await expect(ines.getByRole("button", { name: "Confirm…" })).toHaveCount(0);
  await shop.agent.propose(await sell(shop), 7000n); // version 1 is in force still

  await second.goto("/orders");
  await second.getByRole("link", { name: "Policy 1 proposal waits for you" }).click();
  await expect(second.getByRole("region", { name: "A policy waits for a second admin" })).toContainText("was 500.00→now 50.00");
  await isClean(second);
  await confirms(second, 2);
  await inForce(ines, 2); // by itself
  await expect(ines.getByText("published by Olu Bankole, proposed by Ines Carvalho")).toBeVisible();
  await expect(shop.agent.propose(await sell(shop), 5001n)).rejects.toThrow("max_refund_amount");

  await second.getByRole("button", { name: "Roll back to this, version 1" }).click();
  await expect(panel(second)).toContainText("was 50.00→now 500.00");
  await tries(second, 4);
  await expect(second.getByRole("row", { name: /Were refused, would be let through/ }).getByRole("cell")).toHaveText(["1", "50.01"]);
  await opens(second, "Publish…");
  await dialog(second).getByRole("button", { name: "Propose" }).click();
  await confirms(ines, 3);
  await ines.getByRole("button", { name: "What version 3 changed: 1 rule differs" }).click();
  await expect(ines.getByRole("row", { name: /An agent may ask for at most … per refund/ })).toContainText("was 50.00→now 500.00");
  await shop.agent.propose(await sell(shop), 5001n);

  await openPolicy(tom);
  await expect(tom.getByRole("main")).toContainText("An agent may ask for at most €500.00, £500.00 and US$500.00 per refund.");
  await expect(tom.getByRole("main")).toContainText("Only an admin edits and publishes.");
  await expect(tom.getByRole("main").getByRole("textbox")).toHaveCount(0);
  await expect(tom.getByRole("main").getByRole("button", { name: /Publish|Roll back/ })).toHaveCount(0);
  await tom.goto("/audit");
  await expect(tom.getByRole("row", { name: /Policy proposed Ines Carvalho on version 1/ })).toBeVisible();
  await expect(tom.getByRole("row", { name: /Policy published Ines Carvalho version 3/ })).toBeVisible();
});

test("what is typed as JSON is never lost; alone an admin publishes at once; a proposal is taken back", async ({ enter }) => {
  const shop = await openShop();
  const ines = await enter(shop.ines);
  await openPolicy(ines);
  await expect(async () => {
    await ines.getByRole("button", { name: "As JSON" }).click({ timeout: 1000 });
    await expect(ines.getByLabel(/^The rules as JSON/)).toBeVisible({ timeout: 1000 });
  }).toPass();
  const json = ines.getByLabel(/^The rules as JSON/);
  const rules = JSON.parse(await json.inputValue()) as Record<string, unknown>;
  const odd = { ...rules, max_refund_amount: { KWD: "1255" }, refund_approvals: [{ approvals: 2, up_to: { KWD: "1000" } }, { approvals: 3, up_to: { KWD: "2000" } }] };
  await json.fill(JSON.stringify({ ...odd, max_joy: 1 }));
  await expect(ines.getByText("max_joy: no rule of ours")).toBeVisible();
  await expect(ines.getByRole("button", { name: "As a form" })).toBeDisabled();
  await json.fill(JSON.stringify(odd));
  await ines.getByRole("button", { name: "As a form" }).click();
  await expect(ines.getByRole("group", { name: /^An agent may ask for at most … per refund/ }).getByLabel(/^KWD/)).toHaveValue("1.255");
  await expect(ines.getByText("Above that 4 people sign: one more than any tier names.")).toBeVisible();
  await expect(panel(ines)).toContainText("With these caps an agent could propose nothing at all");
  await opens(ines, "Publish…");
  await dialog(ines).getByRole("button", { name: "Publish", exact: true }).click();
  await inForce(ines, 2);
  expect(JSON.parse((await everyMerchant().policy.findUniqueOrThrow({ where: { merchantId_version: { merchantId: shop.merchant.id, version: 2 } } })).rules)).toEqual(odd);

  await secondAdmin(shop);
  await ines.getByRole("button", { name: "Roll back to this, version 1" }).click();
  await opens(ines, "Publish…");
  await dialog(ines).getByRole("button", { name: "Propose" }).click();
  await expect(ines.getByRole("heading", { name: "Your proposal waits for another admin" })).toBeVisible();
  await expect(dialog(ines)).toHaveCount(0);
  await opens(ines, "Take back…");
  await dialog(ines).getByRole("button", { name: "Take back", exact: true }).click();
  await expect(ines.getByRole("heading", { name: /proposal waits/ })).toHaveCount(0);
  await inForce(ines, 2);
});

test("the switch is thrown from any page with a reason, seen on every page, and a second admin resumes", async ({ enter }) => {
  const shop = await openShop();
  const olu = await secondAdmin(shop);
  const [ines, second, maya] = await Promise.all([enter(shop.ines), enter(olu), enter(shop.maya)]);
  await Promise.all([ines.goto("/orders"), second.goto("/agents"), maya.goto("/changes")]);
  await opens(ines, "Pause: nothing is staged or applied");
  await dialog(ines).getByRole("button", { name: "Pause", exact: true }).click();
  await expect(dialog(ines)).toContainText("Say why, in a few words");
  await dialog(ines).getByLabel("Why").fill("One customer, again and again.");
  await dialog(ines).getByRole("button", { name: "Pause", exact: true }).click();

  const banner = (page: Page): Locator => page.getByRole("region", { name: "Paused" });
  for (const page of [ines, second, maya]) {
    await expect(banner(page)).toContainText(/Paused by Ines Carvalho, \d\d:\d\d\. Nothing is staged, nothing is applied\./);
    await expect(banner(page).getByRole("button", { name: "Why: One customer, again and again." })).toBeVisible();
  }
  await expect(banner(maya).getByRole("button", { name: "Resume" })).toHaveCount(0);
  await expect(banner(ines).getByRole("button", { name: "Resume" })).toBeDisabled();
  await expect(banner(ines)).toContainText("You paused, so another admin resumes.");
  await expect(shop.agent.propose(await sell(shop), 1000n)).rejects.toThrow("paused");
  await isClean(maya);

  await banner(second).getByRole("button", { name: "Resume" }).click();
  for (const page of [ines, second, maya]) await expect(banner(page)).toHaveCount(0);
  await shop.agent.propose(await sell(shop), 1000n);
});

test("on a phone the switch is in sight, also while a change is open", async ({ enter }) => {
  const shop = await openShop();
  const { id } = await shop.agent.propose(await sell(shop), 1000n);
  const ines = await enter(shop.ines, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const path of ["/changes", `/changes/${id}`, "/policy", "/history"]) {
    await ines.goto(path);
    await expect(ines.getByRole("button", { name: "Pause: nothing is staged or applied" })).toBeInViewport({ ratio: 1 });
  }
});
