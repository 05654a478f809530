import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, closeSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { binaries, choosePlace, serverAccount } from "./embedded-place.mjs";
import { passedFolder, privateFile } from "./private.mjs";
import { freePort, needSpace, Stop } from "./steps.mjs";

const LOGINS = ["postgres", "undersigned_owner", "undersigned_app"];
const ATTEMPTS = 50;
const START_MS = 60_000;
const STOP_MS = 20_000;

/**
 * Starts the PostgreSQL of a folder, or adopts the one that still runs there, with its two logins:
 * `undersigned_owner` owns databases and may create them, `undersigned_app` owns nothing; neither is superuser.
 * Both URLs name the database `postgres`. It listens on loopback only. Throws `Stop` with one sentence where it cannot.
 */
export async function startPostgres(folder) {
  const dir = resolve(folder);
  passedFolder(dir);
  needSpace(dir, 300);
  const account = serverAccount();
  const cluster = recall(dir) ?? begin(dir, choosePlace(dir, account));
  const bin = binaries(cluster.place, account);
  initialise(cluster, bin, account);
  const adopted = await answers(cluster);
  if (!adopted) await launch(dir, cluster, bin, account);
  await ensureLogins(cluster);
  return {
    adopted,
    ownerUrl: connection(cluster, "undersigned_owner"),
    appUrl: connection(cluster, "undersigned_app"),
    stop: () => shutDown(cluster),
  };
}

/** Stops the PostgreSQL of a folder, if it runs. */
export async function stopPostgres(folder) {
  const cluster = recall(resolve(folder));
  if (cluster) await shutDown(cluster);
}

/** Stops it and removes all of it. */
export async function removePostgres(folder) {
  await stopPostgres(folder);
  const dir = resolve(folder);
  for (const place of [recall(dir)?.place ?? dir, dir]) rmSync(place, { recursive: true, force: true });
}

function begin(dir, place) {
  const passwords = Object.fromEntries(LOGINS.map((login) => [login, randomBytes(24).toString("hex")]));
  return remember(dir, { place, port: 0, passwords });
}

function recall(dir) {
  const file = join(dir, "cluster.json");
  if (!existsSync(file)) return null;
  const { elsewhere, ...cluster } = JSON.parse(readFileSync(file, "utf8"));
  return { ...cluster, place: elsewhere ?? dir };
}

function remember(dir, { place, ...cluster }) {
  const elsewhere = place === dir ? null : place; // so that the folder can be moved
  writeFileSync(join(dir, "cluster.json"), JSON.stringify({ ...cluster, elsewhere }), { mode: 0o600 });
  return { ...cluster, place };
}

const dataOf = (cluster) => join(cluster.place, "pgdata");

const connection = (cluster, login) => `postgresql://${login}:${cluster.passwords[login]}@127.0.0.1:${cluster.port}/postgres`;

function initialise(cluster, bin, account) {
  const data = dataOf(cluster);
  if (existsSync(join(data, "PG_VERSION"))) return;
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { mode: 0o700 });
  const secret = join(cluster.place, "initdb-password");
  writeFileSync(secret, cluster.passwords.postgres, { mode: 0o600 });
  if (account.uid) for (const path of [data, secret]) chownSync(path, account.uid, account.gid);
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${secret}`, "-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    { ...account, cwd: "/", encoding: "utf8" },
  );
  rmSync(secret);
  if (made.status === 0) return;
  rmSync(data, { recursive: true, force: true });
  throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
}

/** Whether this cluster's own server answers on its port, and not a stranger's. */
async function answers(cluster) {
  if (!cluster.port) return false;
  return asSuperuser(cluster, async (client) => {
    const { rows } = await client.query("SELECT current_setting('data_directory') AS folder");
    return rows[0].folder === realpathSync(dataOf(cluster));
  }).catch(() => false);
}

async function launch(dir, cluster, bin, account) {
  cluster.port = await freePort(cluster.port).catch(() => freePort());
  remember(dir, cluster);
  const log = join(dir, "postgres.log");
  const args = ["-D", dataOf(cluster), "-p", String(cluster.port), "-k", "", "-c", "listen_addresses=127.0.0.1"];
  // The backends of a server that was killed die slowly, and a new one exits until they are gone: it is tried again.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const output = privateFile(log);
    const server = spawn(join(bin, "postgres"), args, { ...account, cwd: "/", detached: true, stdio: ["ignore", output, output] });
    server.unref();
    closeSync(output);
    const abandon = () => server.kill("SIGINT");
    process.once("exit", abandon); // whoever is stopped while it starts leaves no server behind
    for (const until = Date.now() + START_MS; server.exitCode === null && Date.now() < until; await sleep(50)) {
      if (!(await answers(cluster))) continue;
      process.off("exit", abandon);
      return;
    }
    abandon();
    process.off("exit", abandon);
    await sleep(100);
  }
  throw new Error(`PostgreSQL did not start; the end of ${log}:\n${readFileSync(log, "utf8").split("\n").slice(-6).join("\n")}`);
}

async function ensureLogins(cluster) {
  await asSuperuser(cluster, async (client) => {
    for (const login of LOGINS.slice(1)) {
      const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [login]);
      const right = login === "undersigned_owner" ? "CREATEDB" : "NOCREATEDB";
      if (!rowCount) await client.query(`CREATE ROLE ${login} LOGIN NOSUPERUSER NOCREATEROLE ${right} PASSWORD '${cluster.passwords[login]}'`);
    }
  });
}

async function asSuperuser(cluster, work) {
  const client = new pg.Client({ connectionString: connection(cluster, "postgres"), connectionTimeoutMillis: 2000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Fast shutdown: open transactions roll back, nothing acknowledged is lost. */
async function shutDown(cluster) {
  const file = join(dataOf(cluster), "postmaster.pid");
  if (!(await answers(cluster))) return;
  process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGINT");
  for (const until = Date.now() + STOP_MS; existsSync(file); await sleep(50)) {
    if (Date.now() > until) throw new Stop(`PostgreSQL in ${cluster.place} does not stop.`);
  }
}
