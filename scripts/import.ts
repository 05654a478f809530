import { parseArgs } from "node:util";
import { closeDatabase } from "../lib/database/client";
import { formatMoney } from "../lib/kernel/money";
import { listMerchants } from "../lib/identity/merchants";
import { importShop } from "../lib/platforms/store/import";
import { SKIP_REASONS, type SkipReason } from "../lib/platforms/store/online-retail";
import { readOnlineRetail } from "../lib/platforms/store/online-retail-file";
import type { Shop } from "../lib/platforms/store/shop";
import { besideDemo } from "./demo-environment";

const USAGE = "npm run import -- online-retail FILE --merchant SLUG   (FILE is a .csv or .csv.gz; into DATABASE_URL, or the running demo's database)";

async function main(): Promise<void> {
  const { positionals: [format, file], values: { merchant: slug } } = parseArgs({ allowPositionals: true, options: { merchant: { type: "string" } } });
  if (format !== "online-retail" || !file || !slug) throw new Error(USAGE);
  besideDemo();
  const merchant = (await listMerchants()).find((each) => each.slug === slug);
  if (!merchant) throw new Error(`There is no merchant "${slug}".`);
  const shop = readOnlineRetail(file);
  const report = await importShop(merchant.id, shop, showProgress);
  const money = (amountMinor: bigint): string => formatMoney({ amountMinor, currency: shop.currency });
  console.log(`\nOrders     ${shop.orders.length}, ${report.newOrders} new; customers ${shop.customers.length}, ${report.newCustomers} new; dates moved by ${report.shiftDays} days`);
  console.log(`Counted    ${money(shop.countedMinor)} in ${shop.sales} rows of the file`);
  console.log(`Taken      ${money(report.takenMinor)} captured on its orders`);
  printRows(shop);
  if (report.takenMinor === shop.countedMinor) return;
  console.error(`They differ by ${money(shop.countedMinor - report.takenMinor)}: this merchant has other orders with the same numbers.`);
  process.exitCode = 1;
}

function printRows({ rows, credits, creditNotes, skipped }: Shop): void {
  console.log(`Credits    ${credits} rows of ${creditNotes.length} credit notes match an earlier sale`);
  const reasons = Object.entries(skipped) as [SkipReason, number][];
  console.log(`Skipped    ${reasons.reduce((sum, [, count]) => sum + count, 0)} of ${rows} rows`);
  for (const [reason, count] of reasons) console.log(`  ${String(count).padStart(7)}  ${SKIP_REASONS[reason]}`);
}

function showProgress(done: number, of: number): void {
  if (!process.stdout.isTTY && done < of) return;
  const filled = Math.round((done / of) * 30);
  process.stdout.write(`\rOrders     ${"█".repeat(filled)}${"░".repeat(30 - filled)} ${done} of ${of}`);
}

main()
  .catch((error: Error & { code?: string }) => {
    console.error(error.code === "ENOENT" ? `There is no such file: ${error.message.split("'")[1]}` : error.message);
    process.exitCode = 1;
  })
  .finally(closeDatabase);
