import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../testing/database";
import { approve, makeMerchant, makeOrder, stage } from "../testing/factories";
import { readChange } from "./queries";

beforeAll(async () => { await testDatabase(); });

test("while it can be decided a line shows what is taken of it now, and what was when it was proposed; then as it was proposed", async () => {
  const shop = await makeMerchant();
  const order = await makeOrder(shop.id, { lines: [{ quantity: 4, paidMinor: 1416n }] });
  const lines = (quantity: number) => [{ lineId: order.lineIds[0]!, quantity, restock: "none" as const }];
  const [one, two] = [await stage(shop, order, { lines: lines(1) }), await stage(shop, order, { lines: lines(2) })];
  const shown = async (id: string) => (await readChange(await shop.maya.ctx(), id)).lines[0];
  expect(await shown(two.id)).toMatchObject({ beforeMinor: "0", afterMinor: "708", proposedBeforeMinor: null });
  await approve(shop.tom, one.id);
  expect(await shown(one.id)).toMatchObject({ beforeMinor: "0", afterMinor: "354", proposedBeforeMinor: null });
  expect(await shown(two.id)).toMatchObject({ beforeMinor: "354", afterMinor: "1062", amountMinor: "708", proposedBeforeMinor: "0" });
});
