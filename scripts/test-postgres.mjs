import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connected } from "./databases.mjs";
import { serverAccount } from "./embedded-place.mjs";
import { fail, freePort, isMain, Stop } from "./steps.mjs";

const DEBIAN = "/usr/lib/postgresql";
const OLDEST = 15;
const START_MS = 30_000;

/** The programs of the oldest PostgreSQL from 15 on that is installed as Debian does, or null: where it works, newer ones do. */
export function installedPostgres() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter((version) => version >= OLDEST).sort((a, b) => a - b) : [];
  const bins = versions.map((version) => join(DEBIAN, String(version), "bin"));
  return bins.find((bin) => existsSync(join(bin, "initdb")) && existsSync(join(bin, "postgres"))) ?? null;
}

/** Runs Vitest's database tests on a PostgreSQL that is not the embedded one, made for it and removed afterwards. */
async function testOn(bin, tests) {
  const account = serverAccount();
  const place = mkdtempSync("/var/tmp/undersigned-own-");
  if (account.uid) chownSync(place, account.uid, account.gid);
  const [password, port] = [randomBytes(24).toString("hex"), await freePort()];
  const url = (login) => `postgresql://${login}:${password}@127.0.0.1:${port}/postgres`;
  try {
    const [data, secret] = [join(place, "data"), join(place, "password")];
    writeFileSync(secret, password, { mode: 0o600 });
    if (account.uid) chownSync(secret, account.uid, account.gid);
    const made = spawnSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${secret}`, "-E", "UTF8", "--locale=C.UTF-8"], { ...account, cwd: "/", encoding: "utf8" });
    if (made.status !== 0) throw new Stop(`initdb failed: ${made.stderr}`);
    const server = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), "-k", "", "-c", "listen_addresses=127.0.0.1"], { ...account, cwd: "/", stdio: "ignore" });
    process.once("exit", () => server.kill("SIGINT"));
    await makeLogins(url("postgres"), password);
    console.log(`On ${spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }).stdout.trim()}`);
    const code = await ended(spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--project", "node", ...tests], {
      stdio: "inherit", env: { ...process.env, TEST_DATABASE_OWNER_URL: url("undersigned_owner"), TEST_DATABASE_URL: url("undersigned_app") },
    }));
    server.kill("SIGINT");
    await ended(server);
    return code;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function makeLogins(url, password) {
  for (const until = Date.now() + START_MS; ; await sleep(100)) {
    try {
      return await connected(url, async (client) => {
        await client.query(`CREATE ROLE undersigned_owner LOGIN CREATEDB PASSWORD '${password}'`);
        await client.query(`CREATE ROLE undersigned_app LOGIN PASSWORD '${password}'`);
      });
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

const ended = (program) => new Promise((done) => program.once("exit", (code) => done(code ?? 1)));

async function main() {
  const bin = installedPostgres();
  if (!bin) throw new Stop(`There is no PostgreSQL ${OLDEST} or newer under ${DEBIAN}: apt-get install postgresql.`);
  process.exitCode = await testOn(bin, process.argv.slice(2));
}

if (isMain(import.meta)) await main().catch(fail);
