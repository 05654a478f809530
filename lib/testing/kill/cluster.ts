import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connected, createDatabase, onDatabase } from "../../../scripts/databases.mjs";
import { removePostgres, startPostgres } from "../../../scripts/embedded.mjs";

const NAME = "undersigned";

export type Cluster = {
  env: { DATABASE_URL: string; DATABASE_OWNER_URL: string };
  /** `kill -9` of the server, then its restart: recovery and all. */
  killAndRestart: () => Promise<void>;
  remove: () => Promise<void>;
};

/** A PostgreSQL of its own in `folder` with a migrated database, made anew. */
export async function openCluster(folder: string): Promise<Cluster> {
  await removePostgres(folder);
  const server = await startPostgres(folder);
  await createDatabase(server.ownerUrl, NAME);
  const env = { DATABASE_URL: onDatabase(server.appUrl, NAME), DATABASE_OWNER_URL: onDatabase(server.ownerUrl, NAME) };
  execFileSync(process.execPath, ["scripts/migrate.mjs", "deploy"], { env: { ...process.env, ...env } });
  return {
    env,
    killAndRestart: async () => {
      const pid = Number(readFileSync(pidFile(folder), "utf8").split("\n")[0]);
      process.kill(pid, "SIGKILL");
      while (isAlive(pid)) await sleep(5);
      const again = await startPostgres(folder);
      if (onDatabase(again.appUrl, NAME) !== env.DATABASE_URL) throw new Error("PostgreSQL came back on another port");
    },
    remove: () => removePostgres(folder),
  };
}

function pidFile(folder: string): string {
  const { elsewhere } = JSON.parse(readFileSync(join(folder, "cluster.json"), "utf8")) as { elsewhere: string | null };
  const file = join(elsewhere ?? folder, "pgdata", "postmaster.pid");
  if (!existsSync(file)) throw new Error("PostgreSQL does not run");
  return file;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8")); // a zombie holds nothing
  } catch {
    return false;
  }
}

/** Lets the database's clock run so many seconds ahead, so that leases and pauses end without waiting. */
export const runAhead = (ownerUrl: string, seconds: number): Promise<unknown> =>
  connected(ownerUrl, (client) => client.query(
    `CREATE OR REPLACE FUNCTION ledger_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) + interval '${Math.floor(seconds)} seconds' $$`,
  ));
