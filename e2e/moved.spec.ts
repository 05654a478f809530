import type { Page } from "@playwright/test";
import { actionOf, approve, bar, becomes, call, expect, holdDecisions, ink, openChange, press, readChange, reject, row, test, timeline, types } from "./story";
import { openShop, sell } from "./shop";

/** The page keeps what it shows, as where its network is slow; what it sends to decide still arrives. */
const stayBehind = (page: Page): Promise<unknown> => page.route("**/api/console/**", (route) => route.abort());
const catchUp = (page: Page): Promise<void> => page.unroute("**/api/console/**");
const refusal = (page: Page) => bar(page).getByRole("alert");

test("the money moves between preview and signature: nothing is signed, old and new are told, then it is signed", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 0 });
  const order = await sell(shop);
  const sixty = await shop.agent.propose(order, 6000n);
  const [maya, tom] = await Promise.all([enter(shop.maya), enter(shop.tom)]);
  await openChange(maya, sixty.id);
  await stayBehind(maya);
  const thirty = await shop.agent.propose(order, 3000n);
  await openChange(tom, thirty.id);
  await approve(tom, "£30.00");
  await becomes(tom, thirty.id, "applied");

  await approve(maya, "£60.00");
  await expect(refusal(maya)).toContainText(/Not signed\. .*Remaining was £100\.00, is now £70\.00\..*This change asks for £60\.00\. No money moved\./);
  await expect(ink(maya)).toHaveCount(0);
  await catchUp(maya);
  await press(maya, "Look again");
  await expect(maya.getByRole("img", { name: "Of £100.00 paid: £30.00 refunded, £0.00 held, £60.00 this change, £10.00 remains after" })).toBeVisible();
  await approve(maya, "£60.00");
  await expect(bar(maya)).toContainText("£60.00 went out once.");
});

test("a page that is live tells by itself that the figures moved, and never swaps them under the reader", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 0 });
  const order = await sell(shop);
  const [sixty, thirty] = [await shop.agent.propose(order, 6000n), await shop.agent.propose(order, 3000n)];
  const [maya, tom] = await Promise.all([enter(shop.maya), enter(shop.tom)]);
  await Promise.all([openChange(maya, sixty.id), openChange(tom, thirty.id)]);
  await approve(tom, "£30.00");
  await expect(refusal(maya)).toContainText("The figures moved while you looked. Remaining was £100.00, is now £70.00.");
  await expect(maya.getByRole("img", { name: /^Of £100\.00 paid: £0\.00 refunded/ })).toBeVisible();
  await press(maya, "Look again");
  await expect(maya.getByRole("img", { name: /^Of £100\.00 paid: £30\.00 refunded/ })).toBeVisible();
  await expect(bar(maya).getByRole("button", { name: "Approve £60.00" })).toBeVisible();
});

test("what asks for more than remains is told how much remains, stays, and may be rejected", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 0 });
  const order = await sell(shop, [{ title: "Oak stool", quantity: 1, paidMinor: 8000n }]);
  const sixty = await shop.agent.propose(order, 6000n);
  const [maya, tom] = await Promise.all([enter(shop.maya), enter(shop.tom)]);
  await openChange(tom, sixty.id);
  await stayBehind(tom);
  const forty = await shop.agent.propose(order, 4000n);
  await openChange(maya, forty.id);
  await approve(maya, "£40.00");
  await becomes(maya, forty.id, "applied");
  await approve(tom, "£60.00");
  await expect(refusal(tom)).toContainText(/Not signed\. £40\.00 remains, this change asks for £60\.00\./);
  await catchUp(tom);
  await press(tom, "Look again");
  await expect(bar(tom)).toContainText("This asks for more than remains of the payment, or of one of its lines, so it cannot be signed.");
  expect((await readChange(tom, sixty.id)).state).toBe("staged");
  await reject(tom, "Amount too high.");
  await expect(bar(tom)).toContainText("Rejected by Tom Adeyemi");
});

test("an approval that carries an amount changes nothing", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 0 });
  const order = await sell(shop);
  const { id } = await shop.agent.propose(order, 1000n);
  const page = await enter(shop.maya);
  await openChange(page, id);
  await page.route("**/changes/**", (route) => {
    const form = route.request().postData();
    const boundary = form?.slice(0, form.indexOf("\r\n"));
    const added = ["amount", "amountMinor", "total"].map((name) => `${boundary}\r\nContent-Disposition: form-data; name="_1_${name}"\r\n\r\n9900\r\n`).join("");
    return route.continue(form ? { postData: added + form } : {});
  });
  const { fields } = await actionOf(page, () => approve(page, "£10.00"));
  expect(fields).toMatchObject({ changeId: id });
  await expect(bar(page)).toContainText("£10.00 went out once.");
  const change = await readChange(page, id);
  expect(change).toMatchObject({ state: "applied", amountMinor: "1000", payment: { refundedMinor: "1000" } });
});

test("approved and rejected at once: one of them is true, and the other is told so", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 0 });
  const { id } = await shop.agent.propose(await sell(shop), 1000n);
  const [maya, tom] = await Promise.all([enter(shop.maya), enter(shop.tom)]);
  await Promise.all([openChange(maya, id), openChange(tom, id)]);
  const held = await Promise.all([holdDecisions(maya), holdDecisions(tom)]);
  await Promise.all([approve(maya, "£10.00"), reject(tom, "Not covered.")]);
  for (const letGo of held) letGo();

  await becomes(maya, id, /^(applied|rejected)$/);
  const change = await readChange(maya, id);
  const applied = change.state === "applied";
  const moves = types(change).filter((type) => type !== "refused").join(" ");
  if (applied) {
    expect(moves).toBe("staged approved applying applied");
    await expect(refusal(tom)).toContainText("Not rejected. Already applied.");
    await expect(bar(maya)).toContainText("£10.00 went out once.");
  } else {
    // Rejected before it was signed; or after that and before it was applied: then both were done, and no money moved.
    expect(moves).toMatch(/^staged (approved )?rejected$/);
    if (moves.includes("approved")) await expect(bar(maya)).toContainText("Rejected by Tom Adeyemi");
    else await expect(refusal(maya)).toContainText("Not signed. Already rejected.");
    await expect(bar(tom)).toContainText("Rejected by Tom Adeyemi");
  }
  await expect(refusal(applied ? maya : tom)).toHaveCount(0);
});

test("a double click signs once, and only what was on screen", async ({ enter }) => {
  const shop = await openShop();
  const [older, newer] = [await shop.agent.propose(await sell(shop), 1000n), await shop.agent.propose(await sell(shop), 2000n)];
  const page = await enter(shop.maya);
  await page.goto("/changes");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(async () => {
    await bar(page).getByRole("button", { name: "Approve £20.00" }).dblclick({ timeout: 2000 });
    await expect(bar(page).getByRole("button", { name: "Approve £10.00" })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(page.getByRole("status", { name: "Taking effect" })).toContainText(/£20\.00.*Takes effect/);
  expect(types(await readChange(page, newer.id))).toEqual(["staged", "approved"]);
  expect(types(await readChange(page, older.id))).toEqual(["staged"]);
  await expect(page.getByText("Not signed.")).toHaveCount(0);
});

test("the same change in two tabs: both are told the one truth", async ({ enter }) => {
  const shop = await openShop();
  const order = await sell(shop);
  const { id } = await shop.agent.propose(order, 1000n);
  const first = await enter(shop.maya);
  const second = await first.context().newPage();
  await Promise.all([openChange(first, id), openChange(second, id)]);
  await stayBehind(second);
  const action = await actionOf(first, () => approve(first, "£10.00"));
  await expect(bar(first)).toContainText("Takes effect");
  await approve(second, "£10.00");
  await expect(bar(second)).toContainText("Takes effect");
  expect(await call(first, action)).toMatchObject({ status: "done", verb: "approve" });
  await catchUp(second);
  for (const page of [first, second]) {
    await expect(ink(page)).toHaveCount(1);
    await expect(refusal(page)).toHaveCount(0);
    await expect(timeline(page).locator("p.font-semibold", { hasText: "Approved" })).toHaveCount(1);
  }
  await expect(row(first, order.number)).toHaveCount(0);
});
