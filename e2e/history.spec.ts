import { readFileSync } from "node:fs";
import { approve, becomes, expect, openChange, reject, test } from "./story";
import { openShop, sell } from "./shop";

test("history is found by what its address says, and saved for a spreadsheet", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 0 });
  const [bench, table] = [await sell(shop), await sell(shop, [{ title: "Walnut table", quantity: 1, paidMinor: 20_000n }])];
  const paid = await shop.agent.propose(bench, 4500n);
  const refused = await shop.agent.propose(table, { amount: { amountMinor: "700", currency: "GBP" }, reason: "fraud" });
  await shop.agent.propose(table, 100n);
  const maya = await enter(shop.maya, { timezoneId: "Asia/Tokyo" });
  await openChange(maya, paid.id);
  await approve(maya, "£45.00");
  await becomes(maya, paid.id, "applied");
  await openChange(maya, refused.id);
  await reject(maya, "Not ours.");
  await becomes(maya, refused.id, "rejected");

  await maya.goto("/history");
  const rows = maya.getByRole("table", { name: "Decided changes" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(maya.getByRole("status").filter({ hasText: "asked for" })).toHaveText("2 changes, £52.00 asked for");
  await maya.getByLabel("Order, customer or product").fill("walnut");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(table.number);
  await maya.getByRole("button", { name: "Today" }).click();
  await expect(maya).toHaveURL(/q=walnut.*zone=Asia/);
  await expect(rows).toHaveCount(2);
  await maya.reload();
  await expect(rows).toHaveCount(2);
  await maya.getByLabel("Reason").selectOption("damaged");
  await expect(maya.getByText("Nothing decided matches.")).toBeVisible();
  await maya.getByRole("button", { name: /^Clear/ }).click();
  await expect(rows).toHaveCount(3);

  const [file] = await Promise.all([maya.waitForEvent("download"), maya.getByRole("button", { name: "Save as CSV" }).click()]);
  const csv = readFileSync(await file.path(), "utf8").trim().split("\r\n");
  expect(csv).toHaveLength(3);
  expect(csv.find((line) => line.includes(paid.id))).toContain(",GBP,45.00,applied,");
  await expect(maya.getByText("Saved as CSV, 2 rows.")).toBeVisible();
});
