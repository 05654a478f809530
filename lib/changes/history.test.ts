import { beforeAll, expect, test } from "vitest";
import { testDatabase, setClock } from "../testing/database";
import { approve, look, makeMerchant, makeOrder, stage, type TestMerchant } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { ChangeFilters } from "./filters";
import { listHistory, sumHistory } from "./history";
import { exportHistory, type ExportFormat } from "./history-export";
import { rejectChange } from "./reject";

// A shop with one rejected, one approved and one undecided change.

let shop: TestMerchant;
let owner: string;
const ids: Record<"rejected" | "approved" | "staged", string> = { rejected: "", approved: "", staged: "" };
const numbers: string[] = [];

beforeAll(async () => {
  owner = (await testDatabase()).ownerUrl;
  await setClock(owner, "2027-06-30T15:30:00.000Z"); // Tokyo: half past midnight, on 1 July
  shop = await makeMerchant({ undo_seconds: 60 });
  for (const [what, amountMinor, title] of [["rejected", 600n, "=cmd|' /C calc'!A0"], ["approved", 4500n, "Oak bench"], ["staged", 100n, "Linen apron"]] as const) {
    const order = await makeOrder(shop.id, { lines: [{ quantity: 1, paidMinor: 10_000n, title }] });
    numbers.push(order.number);
    ids[what] = (await stage(shop, order, { amountMinor, reason: what === "rejected" ? "fraud" : "damaged" })).id;
  }
  await everyMerchant().customer.create({ data: { merchantId: shop.id, id: "cus-AAAAAAAAAA", number: "C1", name: "=Wren, \"Ltd\"" } });
  await everyMerchant().$executeRaw`UPDATE shop_order SET customer_id = 'cus-AAAAAAAAAA' WHERE merchant_id = ${shop.id} AND number = ${numbers[0]}`;
  await rejectChange(await shop.tom.ctx(), { ...(await look(shop.tom, ids.rejected)), code: "no_proof", reason: "No picture." });
  await approve(shop.maya, ids.approved);
});

const found = async (filters: object) => (await listHistory(await shop.auditor.ctx(), ChangeFilters.parse(filters), undefined)).items.map(({ id }) => Object.entries(ids).find(([, each]) => each === id)![0]);

test("everything decided, newest first, with who ended it, when and why; what waits is not in it", async () => {
  expect((await listHistory(await shop.auditor.ctx(), {}, undefined)).items).toMatchObject([
    { id: ids.approved, state: "approved", endedBy: "Maya Lindqvist", deciders: ["Maya Lindqvist"], why: null },
    { id: ids.rejected, state: "rejected", endedBy: "Tom Adeyemi", deciders: ["Tom Adeyemi"], why: "no proof", endedAt: "2027-06-30T15:30:00.000Z" },
  ]);
  expect(await sumHistory(await shop.auditor.ctx(), {})).toEqual({ count: 2, sums: [{ currency: "GBP", count: 2, amountMinor: "5100" }] });
});

test("by an order's number, whole or in part", async () => expect([await found({ q: numbers[1] }), await found({ q: numbers[1]!.slice(1, 7) })]).toEqual([["approved"], ["approved"]]));

test.each<[object, string[]]>([
  [{ q: "wren" }, ["rejected"]], [{ q: "oak BENCH" }, ["approved"]], [{ q: "100%" }, []], [{ q: "_" }, []], [{ q: "SKU0" }, ["approved", "rejected"]],
  [{ reason: "fraud" }, ["rejected"]], [{ state: "approved" }, ["approved"]], [{ min: "4500" }, ["approved"]], [{ min: "4501" }, []], [{ max: "600" }, ["rejected"]], [{ currency: "EUR" }, []],
  [{ from: "2027-07-01", zone: "Asia/Tokyo" }, ["approved", "rejected"]], [{ to: "2027-06-30", zone: "Asia/Tokyo" }, []],
  [{ from: "2027-07-01", zone: "Europe/London" }, []], [{ from: "2027-06-30", to: "2027-06-30", zone: "Europe/London" }, ["approved", "rejected"]],
  [{ agent: "agt-Nobody0001" }, []], [{ min: "1", reason: "fraud", q: "wren", state: "rejected" }, ["rejected"]],
])("by %j: %j", async (filters, expected) => expect(await found(filters)).toEqual(expected));

test("by who decided, and by what shares its payment", async () => {
  expect([await found({ by: shop.tom.personId }), await found({ by: shop.admin.personId }), await found({ conflict: "1" })]).toEqual([["rejected"], [], []]);
});

test.each([{ min: "-1" }, { from: "yesterday" }, { from: "0000-01-01" }, { to: "9999-12-31" }, { reason: "whim" }, { unknown: "1" }, { state: "staged" }])("refused: %j", (filters) => expect(ChangeFilters.safeParse(filters).success).toBe(false));
test.each([{ from: "2027-02-30" }, { from: "2027-02-28", zone: "Mars/Base" }])("refused by cause: %j", async (filters) => { await expect(found(filters)).rejects.toMatchObject({ code: "invalid_input" }); });

async function file(format: ExportFormat): Promise<string> {
  return joined(exportHistory(await shop.auditor.ctx(), {}, format));
}

async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

test("as CSV for a spreadsheet: names are no formulas, amounts are numbers", async () => {
  const [head, first, second, end] = (await file("csv")).split("\r\n");
  expect(head).toMatch(/^\ufeffchange,order,customer,reason,currency,amount,/);
  expect(first).toContain(",GBP,45.00,approved,");
  expect(second).toContain(",\"'=Wren, \"\"Ltd\"\"\",fraud,GBP,6.00,rejected,1,");
  expect(end).toBe("");
});

test("as JSON: whole, also where it is empty", async () => {
  expect(JSON.parse(await file("json"))).toMatchObject([{ change: ids.approved, amount: "45.00", amountMinor: "4500" }, { change: ids.rejected, customer: "=Wren, \"Ltd\"", decidedBy: ["Tom Adeyemi"] }]);
  const empty = exportHistory(await shop.auditor.ctx(), { q: "nothing like it" }, "json");
  expect(JSON.parse(await joined(empty))).toEqual([]);
});
