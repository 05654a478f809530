import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { following, launch, run, tsx } from "./processes.mjs";
import { Stop } from "./steps.mjs";

const NEXT = "node_modules/next/dist/bin/next";
const READY_MS = 60_000;
const SOURCES = ["app", "components", "lib", "public", "next.config.ts", "package-lock.json", "postcss.config.mjs", "prisma/schema.prisma", "proxy.ts", "tailwind.config.ts", "tsconfig.json"];

/** The embedded PostgreSQL of `folder` with a database of this name, made where it is missing. */
export async function openDatabase(folder, name) {
  const { startPostgres } = await import("./embedded.mjs");
  const { createDatabase, databaseExists, onDatabase } = await import("./databases.mjs");
  const { ownerUrl, appUrl, stop } = await startPostgres(folder);
  if (!(await databaseExists(ownerUrl, name))) await createDatabase(ownerUrl, name);
  return { databaseUrl: onDatabase(appUrl, name), ownerDatabaseUrl: onDatabase(ownerUrl, name), stop };
}

export const migrate = ({ ownerDatabaseUrl }, logs) =>
  run(process.execPath, ["scripts/migrate.mjs", "deploy"], { log: join(logs, "migrate.log"), env: { ...process.env, DATABASE_OWNER_URL: ownerDatabaseUrl } });

/** Seeds what is not there yet, and resolves to the merchants, logins and keys that it keeps in `folder`. */
export async function seed(database, folder, args, logs) {
  await run(process.execPath, tsx("prisma/seed.ts", "--out", folder, ...args), { log: join(logs, "seed.log"), env: appEnvironment(database) });
  const { shop, ...seeded } = JSON.parse(readFileSync(join(folder, "seed.json"), "utf8"));
  return seeded;
}

/** Whether the build in `distDir` is of the sources as they are now. */
export const isBuilt = (distDir) => existsSync(stampOf(distDir)) && readFileSync(stampOf(distDir), "utf8") === sourcesDigest();

export async function build(distDir, logs) {
  const sources = sourcesDigest();
  rmSync(stampOf(distDir), { force: true });
  await run(process.execPath, [NEXT, "build"], { log: join(logs, "build.log"), env: { ...process.env, NEXT_DIST_DIR: distDir, NEXT_TELEMETRY_DISABLED: "1" } });
  writeFileSync(stampOf(distDir), sources);
}

/**
 * Starts the web server, on loopback, and the worker; resolves when pages are answered. `fallen` resolves to a `Stop`
 * when one of them ends. Without `distDir` the server builds as it goes, for who works on it.
 */
export async function serve(database, { port, distDir, secret, logs }) {
  const url = `http://localhost:${port}`;
  const env = { ...appEnvironment(database), UNDERSIGNED_URL: url, NEXTAUTH_URL: url, NEXTAUTH_SECRET: secret };
  const [program, mode] = distDir
    ? [tsx("scripts/serve.ts"), { NODE_ENV: "production", NEXT_DIST_DIR: distDir, HOST: "127.0.0.1", PORT: String(port) }]
    : [[NEXT, "dev", "-H", "127.0.0.1", "-p", String(port)], { NODE_ENV: "development" }];
  const web = launch(process.execPath, following(...program), { log: join(logs, "web.log"), env: { ...env, ...mode } });
  const worker = launch(process.execPath, following(...tsx("scripts/worker.ts")), { log: join(logs, "worker.log"), env });
  const end = (what, program) => program.ended.then(() => new Stop(`${program.tail()}\n\n${what} ended; all it said is in ${logs}.`));
  const fallen = Promise.race([end("The web server", web), end("The worker", worker)]);
  await Promise.race([answers(`${url}/sign-in`), fallen.then((stop) => Promise.reject(stop))]);
  return { url, env, fallen };
}

/** Random bytes that stay the same from run to run. */
export function keptSecret(file) {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

async function answers(page) {
  for (const until = Date.now() + READY_MS; Date.now() < until; await sleep(100)) {
    const answer = await fetch(page).catch(() => null);
    if (answer?.ok) return;
    if (answer && answer.status >= 500) throw new Stop(`${page} answered ${answer.status}.`);
  }
  throw new Stop(`${page} did not answer within ${READY_MS / 1000} seconds.`);
}

/** What the application may know: never the owner's login. */
function appEnvironment({ databaseUrl }) {
  const { DATABASE_OWNER_URL, ...env } = process.env;
  return { ...env, DATABASE_URL: databaseUrl };
}

const stampOf = (distDir) => join(distDir, "sources.sha256");

function sourcesDigest() {
  const digest = createHash("sha256");
  for (const path of SOURCES.flatMap(filesOf)) digest.update(path).update("\0").update(readFileSync(path));
  return digest.digest("hex");
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith("lib/database/generated"))
    .sort();
}
