import { existsSync } from "node:fs";
import { openSwap } from "./backup/place";
import { Refused, restoreBackup } from "./backup/restore";
import { lock } from "./lock.mjs";
import { run, tsx } from "./processes.mjs";
import { fail, step, Stop } from "./steps.mjs";

const USAGE = "npm run restore -- FILE   (into the empty database of DATABASE_OWNER_URL and DATABASE_URL, or in place of the embedded database of this folder)";
const LOGS = ".data/logs";

async function main(): Promise<void> {
  const [file, ...more] = process.argv.slice(2);
  if (!file || more.length) throw new Stop(USAGE);
  if (!existsSync(file)) throw new Stop(`There is no file ${file}.`);
  const { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: appUrl } = process.env;
  if (!ownerUrl && !appUrl) return restoreEmbedded(file);
  if (!ownerUrl || !appUrl) throw new Stop("Set both DATABASE_OWNER_URL, which writes the rows, and DATABASE_URL, by which they are checked.");
  await restoreAndCheck(file, ownerUrl, appUrl);
}

/** Into a new database beside the one in use, which it replaces only when it was found whole. */
async function restoreEmbedded(file: string): Promise<void> {
  const release = lock(".data/demo.pid", (pid) => `The demo runs, as process ${pid}: stop it first.`, ["demo.mjs", "restore.ts"]);
  const swap = await openSwap();
  try {
    await step("Making the tables", "2 seconds", () => run(process.execPath, ["scripts/migrate.mjs", "deploy"], { log: `${LOGS}/migrate.log`, env: { ...process.env, DATABASE_OWNER_URL: swap.ownerUrl } }));
    await restoreAndCheck(file, swap.ownerUrl, swap.appUrl);
    const before = await swap.finish();
    if (before) console.log(`The database that was in use is kept in the same server as ${before}.`);
  } finally {
    await swap.close();
    release();
  }
}

async function restoreAndCheck(file: string, ownerUrl: string, appUrl: string): Promise<void> {
  const { rows, at } = await step("Restoring the rows", null, () => restoreBackup(ownerUrl, file));
  await step("Checking every log and every row against it", null, () => run(process.execPath, tsx("scripts/fsck.ts"), { log: `${LOGS}/fsck.log`, env: { ...process.env, DATABASE_URL: appUrl } }));
  console.log(`Restored ${rows.toLocaleString("en")} rows as of ${at}. No findings.`);
}

await main().catch((error: unknown) => fail(error instanceof Refused ? new Stop(error.message) : error));
