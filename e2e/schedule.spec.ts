import AxeBuilder from "@axe-core/playwright";
import { bar, becomes, dialog, expect, openChange, opens, press, row, test, timeline } from "./story";
import { openShop, sell } from "./shop";

// A day ahead on the clock of this test's browsers, which is the server's.
const tomorrow = () => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T09:00`;

test("approved for a time, held at none, then applied now and once", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 1 });
  const order = await sell(shop);
  const { id } = await shop.agent.propose(order, 4500n);
  const maya = await enter(shop.maya, { timezoneId: "Europe/London" });
  await openChange(maya, id);

  await opens(maya, "Later…");
  const field = dialog(maya).getByLabel("Date and time");
  await field.fill("2027-03-28T01:30");
  await expect(dialog(maya)).toContainText("Clocks go forward then: this time does not exist in this zone.");
  await field.fill("2026-01-01T09:00");
  await expect(dialog(maya)).toContainText("This time has passed.");
  await field.fill(tomorrow());
  expect((await new AxeBuilder({ page: maya }).include('[role="dialog"]').analyze()).violations).toEqual([]);
  await dialog(maya).getByRole("button", { name: "Approve £45.00 for then" }).click();
  await becomes(maya, id, "approved");

  await maya.goto("/changes?view=scheduled");
  await expect(row(maya, order.number)).toBeVisible();
  await openChange(maya, id);
  await expect(bar(maya)).toContainText("09:00, Europe/London");
  await expect(bar(maya)).toContainText("as Maya Lindqvist set it");

  await press(maya, "No time yet");
  await expect(bar(maya)).toContainText("held until a time is set");
  await press(maya, "Apply now");
  await becomes(maya, id, "applied");
  await expect(bar(maya)).toContainText("£45.00 went out once.");
  await expect(timeline(maya).locator("p.font-semibold")).toHaveText(["Applied", "Applying", /^Scheduled, for .* UTC$/, "Scheduled, no time yet", /^Scheduled, for .* 09:00 UTC$/, "Approved", "Staged"]);
});

test("whoever made the key may reject what is scheduled but not set its time; its approver takes it back", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 60 });
  const { id } = await shop.agent.propose(await sell(shop), 4500n);
  const [maya, ines] = await Promise.all([enter(shop.maya), enter(shop.ines)]);
  await openChange(maya, id);
  await opens(maya, "Later…");
  await dialog(maya).getByLabel("Date and time").fill(tomorrow());
  await dialog(maya).getByRole("button", { name: "Approve £45.00 for then" }).click();
  await becomes(maya, id, "approved");
  await openChange(ines, id);
  await expect(bar(ines)).toContainText("as Maya Lindqvist set it");
  await expect(bar(ines).getByRole("button")).toHaveText([/Reject/]);
  await openChange(maya, id);
  await press(maya, /Take back/);
  await becomes(maya, id, "staged");
  await expect(bar(maya).getByRole("button", { name: /^Approve/ })).toBeVisible();
});
