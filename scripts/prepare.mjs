import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { run } from "./processes.mjs";
import { fail, isMain, needSpace, step, Stop } from "./steps.mjs";

const MINIMUM = [20, 19];
const INSTALL_MB = 2000;
const GENERATED = "lib/database/generated";

/** Installs what package-lock.json names and node_modules lacks, and generates the database client. Needs nothing installed. */
export async function prepare() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
    throw new Stop(`This needs Node ${MINIMUM.join(".")} or newer, and this is ${process.versions.node}.`);
  }
  if (!installed()) {
    needSpace(".", INSTALL_MB);
    await step("Installing packages", "2 minutes", () => run("npm", ["ci"], { log: ".data/logs/install.log" }));
  }
  await generate();
}

/** npm writes the hidden lockfile last, so that an interrupted install does not look like a whole one. */
function installed() {
  const [wanted, present] = ["package-lock.json", "node_modules/.package-lock.json"].map((file) =>
    existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {},
  );
  return Object.entries(wanted).every(([path, entry]) => path === "" || (entry.optional && !present[path]) || present[path]?.version === entry.version);
}

async function generate() {
  const schema = createHash("sha256").update(readFileSync("prisma/schema.prisma")).update(readFileSync("node_modules/prisma/package.json")).digest("hex");
  const stamp = `${GENERATED}/schema.sha256`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === schema) return;
  await step("Generating the database client", "3 seconds", () =>
    run(process.execPath, ["node_modules/prisma/build/index.js", "generate"], {
      log: ".data/logs/generate.log",
      // Without a native engine to download: generating needs none.
      env: { ...process.env, CHECKPOINT_DISABLE: "1", PRISMA_SCHEMA_ENGINE_BINARY: "/bin/false" },
    }),
  );
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, schema);
}

if (isMain(import.meta)) await prepare().catch(fail);
