import type { Page } from "@playwright/test";
import { openShop, sell } from "./shop";
import { bar, becomes, expect, ink, openChange, press, reject, row, test } from "./story";

const form = (page: Page) => page.getByRole("form", { name: "Lower and approve" });
const idOf = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1)!;

test("a refund is proposed from an order, lowered and approved by another person, and what was rejected is known again", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 20 });
  const order = await sell(shop, [{ title: "Stoneware mug", quantity: 3, paidMinor: 1000n }, { title: "Linen apron", quantity: 1, paidMinor: 2499n }], 450n);
  const [maya, tom] = [await enter(shop.maya), await enter(shop.tom)];

  await maya.goto(`/orders/${order.id}`);
  const pieces = maya.getByLabel("Pieces of Stoneware mug");
  await expect(async () => {
    if (!(await pieces.isVisible())) await maya.getByRole("button", { name: "Propose a refund" }).click({ timeout: 2000 });
    await expect(pieces).toBeVisible({ timeout: 2000 });
  }).toPass();
  await pieces.fill("4");
  await expect(maya.getByText("Only 3 are left")).toBeVisible();
  await pieces.fill("3");
  await maya.getByLabel("Restock Stoneware mug").selectOption("returned");
  await maya.getByLabel("Shipping").fill("4.50");
  await maya.getByLabel("Note").fill("All three arrived broken.");
  await maya.getByRole("button", { name: "Propose £14.50" }).click();
  await expect(maya.getByText("Choose a reason", { exact: true }).last()).toBeVisible();
  await expect(pieces).toHaveValue("3");
  await maya.getByLabel("Reason").selectOption("goodwill");
  await maya.getByRole("button", { name: "Propose £14.50" }).click();
  await maya.waitForURL(/\/changes\/chg-/);
  const proposed = idOf(maya);
  await expect(maya.getByRole("heading", { level: 1 })).toHaveText(`Refund to order ${order.number}`);
  await expect(bar(maya)).toContainText("You proposed it, so you may not approve this.");
  await expect(maya.getByRole("main").getByText("All three arrived broken.")).toBeVisible();
  await expect(maya.getByLabel("Context")).toContainText("Maya Lindqvist, because they proposed it");

  await openChange(tom, proposed);
  await press(tom, /^Lower…/);
  const left = form(tom).getByLabel("Stoneware mug");
  await expect(left).toBeFocused();
  await left.fill("5");
  await expect(form(tom)).toContainText("More than was proposed");
  await left.fill("2");
  await form(tom).getByLabel("Shipping").fill("0");
  await expect(form(tom)).toContainText(/−£14\.50 → −£6\.66/);
  await form(tom).getByRole("button", { name: "Lower and approve £6.66" }).click();
  await expect(tom).not.toHaveURL(new RegExp(proposed));
  await expect(ink(tom)).toHaveCount(1);
  const lowered = idOf(tom);
  await expect(tom.getByRole("main")).toContainText("Lowered by Tom Adeyemi, takes the place of an earlier one.");
  await expect(tom.getByRole("row", { name: /Stoneware mug/ })).toContainText(/2 of 3.*−6\.66.*returned/);
  await becomes(tom, proposed, "withdrawn");
  await becomes(tom, lowered, /^(approved|applied)$/);
  await openChange(maya, proposed);
  await expect(maya.getByRole("main")).toContainText("Lowered by Tom Adeyemi. Another change took its place.");

  const apron = await shop.agent.propose(order, 2000n);
  await openChange(tom, apron.id);
  await reject(tom, "The apron was sent again");
  await becomes(tom, apron.id, "rejected");
  const again = await shop.agent.propose(order, 2001n);
  await maya.goto("/changes");
  await expect(row(maya, order.number)).toContainText("rejected before");
  await openChange(maya, again.id);
  await expect(maya.getByRole("main")).toContainText(/Rejected before: Tom Adeyemi rejected one like it of £20\.00.*“The apron was sent again”/);
});

test("what is against the same payment is named with who signed it, live, and what moved is said beside what was", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 600, refund_approvals: [{ approvals: 1 }] });
  const order = await sell(shop);
  const [first, second] = [await shop.agent.propose(order, 6000n), await shop.agent.propose(order, 4000n)];
  const [maya, tom] = [await enter(shop.maya), await enter(shop.tom)];
  await openChange(tom, second.id);
  const beside = tom.locator("#elsewhere");
  await expect(beside).toContainText(/Waiting.*£60\.00.*by returns-desk/);
  await openChange(maya, first.id);
  await press(maya, /^Approve £60\.00/);
  await becomes(maya, first.id, "approved");
  await press(tom, "Look again");
  await expect(beside).toContainText(/Approved.*£60\.00.*signed by Maya Lindqvist/);
  await expect(tom.locator("#since")).toContainText(/Left on the payment.*£100\.00.*£40\.00/);
  await press(tom, /^Approve £40\.00/);
  await becomes(tom, second.id, "approved");
  await tom.goto(`/orders/${order.id}`);
  await expect(tom.getByRole("main")).toContainText("Paid £100.00, refunded £0.00, held £100.00: the most that can be proposed is £0.00.");
  await expect(tom.getByRole("button", { name: "Propose a refund" })).toBeDisabled();
  await expect(tom.locator("#staged")).toContainText(/£60\.00.*signed by Maya Lindqvist.*£40\.00.*signed by Tom Adeyemi/);
});

test.describe("on a phone", () => {
  test("a change is lowered by keyboard and thumb, and Escape leaves it as it was", async ({ enter }) => {
    const shop = await openShop({ undo_seconds: 20 });
    const order = await sell(shop);
    const { id } = await shop.agent.propose(order, 6000n);
    const tom = await enter(shop.tom, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await openChange(tom, id);
    await press(tom, /^Lower…/);
    await tom.keyboard.press("Escape");
    await expect(form(tom)).toBeHidden();
    await press(tom, /^Lower…/);
    await expect(form(tom).getByLabel("An amount of the payment")).toBeFocused();
    await form(tom).getByLabel("An amount of the payment").fill("55.00");
    await tom.keyboard.press("Enter");
    await expect(tom).not.toHaveURL(new RegExp(id));
    await becomes(tom, id, "withdrawn");
  });
});
