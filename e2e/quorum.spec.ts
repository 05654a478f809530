import { actionOf, approve, bar, call, expect, ink, openChange, reject, test, timeline } from "./story";
import { openShop, sell, type Shop } from "./shop";

async function proposeLarge(shop: Shop) {
  const order = await sell(shop, [{ title: "Oak table", quantity: 1, paidMinor: 20_000n }]);
  return shop.agent.propose(order, 15_000n);
}

test("above £100.00 two people sign, and each sees the other's ink", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 0 });
  const { id } = await proposeLarge(shop);
  const [maya, tom] = await Promise.all([enter(shop.maya), enter(shop.tom)]);
  await Promise.all([openChange(maya, id), openChange(tom, id)]);
  await expect(bar(maya)).toContainText("first of 2");

  await approve(maya, "£150.00");
  await expect(bar(maya)).toContainText("You have signed this. Another person must sign too. Tom Adeyemi can.");
  await expect(ink(maya)).toHaveCount(1);
  await expect(ink(tom)).toHaveCount(1);
  await expect(bar(tom)).toContainText("second of 2");
  await expect(tom.getByRole("link", { name: "Second approval 1" })).toBeVisible();

  await approve(tom, "£150.00");
  for (const page of [tom, maya]) {
    await expect(bar(page)).toContainText("£150.00 went out once.");
    await expect(ink(page)).toHaveCount(2);
    await expect(timeline(page).locator("p.font-semibold")).toHaveText(["Applied", "Applying", "Approved", "Approved, one more needed", "Staged"]);
  }
});

test("whoever owns the agent's key may not sign, is told who can, and may reject", async ({ enter }) => {
  const shop = await openShop();
  const { id } = await proposeLarge(shop);
  const [ines, maya] = await Promise.all([enter(shop.ines), enter(shop.maya)]);
  await Promise.all([openChange(ines, id), openChange(maya, id)]);
  await expect(bar(ines)).toContainText("You own and made the agent’s key, so you may not approve this. Maya Lindqvist or Tom Adeyemi can.");
  await expect(bar(ines).getByRole("button", { name: /Approve/ })).toHaveCount(0);

  const approval = await actionOf(maya, () => approve(maya, "£150.00"));
  expect(await call(ines, approval)).toMatchObject({ status: "refused", code: "self_approval" });

  await reject(ines, "Already refunded by the shop itself.");
  await expect(bar(ines)).toContainText("Rejected by Ines Carvalho");
  await expect(bar(maya)).toContainText("“Already refunded by the shop itself.”");
});

test("an auditor reads everything and signs nothing", async ({ enter }) => {
  const shop = await openShop();
  const { id } = await proposeLarge(shop);
  const [helen, maya] = await Promise.all([enter(shop.helen), enter(shop.maya)]);
  await Promise.all([openChange(helen, id), openChange(maya, id)]);
  await expect(bar(helen)).toContainText("Your role reads changes and signs none.");
  await expect(bar(helen).getByRole("button")).toHaveCount(0);

  const approval = await actionOf(maya, () => approve(maya, "£150.00"));
  expect(await call(helen, approval)).toMatchObject({ status: "refused", code: "forbidden" });
  await helen.goto("/audit");
  await expect(helen.getByRole("row", { name: /Approved, one more needed/ })).toContainText("Maya Lindqvist");
});
