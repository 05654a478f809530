import { readFileSync } from "node:fs";
import { approve, bar, expect, holdDecisions, ink, row, test, timeline } from "./story";
import { openShop, sell } from "./shop";

test("a refund is proposed over HTTP, previewed, signed, taken back, signed again, paid out once, and in the log", async ({ enter }) => {
  const shop = await openShop();
  const order = await sell(shop, [{ title: "Stoneware mug", quantity: 3, paidMinor: 1000n }, { title: "Linen apron", quantity: 1, paidMinor: 2499n }], 450n);
  const page = await enter(shop.maya);
  await page.goto("/changes");
  await expect(page.getByRole("main").getByText("Nothing waits for you.")).toBeVisible();

  const change = await shop.agent.propose(order, { lines: [{ lineId: order.lineIds[0]!, quantity: 2, restock: "returned" }], note: "Two arrived chipped." });
  await page.getByRole("button", { name: "1 new above" }).click();
  await row(page, order.number).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Refund to order ${order.number}`);
  await expect(page.getByRole("row", { name: /Stoneware mug/ })).toContainText(/2 of 3.*10\.00.*0\.00.*6\.66.*−6\.66.*returned/);
  await expect(page.getByRole("img", { name: "Of £39.49 paid: £0.00 refunded, £0.00 held, £6.66 this change, £32.83 remains after" })).toBeVisible();
  await expect(page.getByRole("main").getByText("Two arrived chipped.")).toBeVisible();
  await expect(ink(page)).toHaveCount(0);

  const letGo = await holdDecisions(page);
  await approve(page, "£6.66");
  await expect(bar(page).getByRole("button", { name: "Signing…" })).toBeDisabled();
  await expect(ink(page)).toHaveCount(0);
  letGo();
  await expect(ink(page)).toHaveCount(1);
  await expect(bar(page)).toContainText(/Takes effect in \d s/);
  await bar(page).getByRole("button", { name: "Take back" }).click();
  await approve(page, "£6.66");
  await expect(bar(page)).toContainText(/Applied at .*£6\.66 went out once\./, { timeout: 20_000 });
  await expect(timeline(page).locator("p.font-semibold")).toHaveText(["Applied", "Applying", "Approved", "Taken back", "Approved", "Staged"]);

  await page.getByRole("complementary", { name: "Context" }).getByRole("link", { name: order.number }).click();
  await expect(page.getByRole("heading", { name: `Order ${order.number}`, exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: "Refunded in GBP" })).toContainText("−£6.66");
  await expect(page.getByRole("row", { name: /Stoneware mug/ })).toContainText("2 of 3, −6.66");

  await page.getByRole("link", { name: "Audit" }).click();
  const entries = page.getByRole("row").filter({ has: page.getByRole("link", { name: order.number }) });
  await expect(entries.locator("td.what")).toHaveText(["Applied", "Applying", "Approved", "Taken back", "Approved", "Staged"]);
  await expect(page.getByRole("complementary", { name: "Checks" }).getByRole("row", { name: /^All/ })).toHaveText("All13.326.666.660.00");

  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download bundle" }).click()]);
  const text = readFileSync(await download.path(), "utf8");
  const lines = text.split("\n");
  expect(text.endsWith("\n")).toBe(true);
  expect(JSON.parse(lines[0]!)).toMatchObject({ format: "undersigned-bundle/1", log: `undersigned/${shop.merchant.id}` });
  expect(lines.at(-2)).toBe('{"checkpoint":null}');
  expect(lines.filter((line) => line.includes(`"subject":"${change.id}"`))).toHaveLength(6);
});

test("refunds of parts add up to what was paid, to the penny", async ({ enter }) => {
  const shop = await openShop({ undo_seconds: 0 });
  const order = await sell(shop, [{ title: "Stoneware mug", quantity: 3, paidMinor: 1000n }], 450n);
  const page = await enter(shop.maya);
  const lineId = order.lineIds[0]!;
  const parts = [
    { ask: { lines: [{ lineId, quantity: 2, restock: "none" as const }] }, says: "£6.66" },
    { ask: { lines: [{ lineId, quantity: 1, restock: "none" as const }] }, says: "£3.34" },
    { ask: { shipping: { amountMinor: "150" } }, says: "£1.50" },
    { ask: 300n, says: "£3.00" },
  ];
  for (const { ask, says } of parts) {
    const change = await shop.agent.propose(order, ask);
    await page.goto(`/changes/${change.id}`);
    await approve(page, says);
    await expect(bar(page)).toContainText(`${says} went out once.`);
  }
  await page.goto(`/orders/${order.id}`);
  await expect(page.getByRole("img", { name: "Of £14.50 paid: £14.50 refunded, £0.00 held, £0.00 remains" })).toBeVisible();
  await expect(page.getByRole("row", { name: "Refunded in GBP" })).toContainText("−£14.50");
  await expect(page.getByRole("row", { name: /^rfd-/ })).toHaveCount(4);
});
