import { existsSync } from "node:fs";
import { openPlace } from "./backup/place";
import { writeBackup } from "./backup/write";
import { fail, Stop } from "./steps.mjs";

const USAGE = "npm run backup -- FILE   (of DATABASE_OWNER_URL, or of the embedded database of this folder)";

async function main(): Promise<void> {
  const [file, ...more] = process.argv.slice(2);
  if (!file || more.length) throw new Stop(USAGE);
  if (existsSync(file)) throw new Stop(`${file} exists already: name a new file.`);
  const place = await openPlace();
  try {
    const { rows, tables, sha256 } = await writeBackup(place.ownerUrl, file);
    console.log(`Wrote ${rows.toLocaleString("en")} rows of ${tables} tables to ${file}; their SHA-256 is ${sha256}.`);
  } finally {
    await place.close();
  }
}

await main().catch(fail);
