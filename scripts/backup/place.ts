import { existsSync } from "node:fs";
import { connected, createDatabase, databaseExists, dropDatabase, onDatabase } from "../databases.mjs";
import { startPostgres } from "../embedded.mjs";
import { Stop } from "../steps.mjs";

const CLUSTER = ".data/demo-db";
const NAME = "undersigned";

export type Place = { ownerUrl: string; appUrl: string | undefined; close(): Promise<void> };

/** The database of DATABASE_OWNER_URL, or the embedded one of this folder, which is started for it where it does not run. */
export async function openPlace(): Promise<Place> {
  const { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: appUrl } = process.env;
  if (ownerUrl) return { ownerUrl, appUrl, close: async () => undefined };
  if (appUrl) throw new Stop("DATABASE_OWNER_URL is not set: the database of DATABASE_URL by its owner, who alone reads and writes all of it.");
  if (!existsSync(CLUSTER)) throw new Stop("There is no database: set DATABASE_OWNER_URL, or start the demo once.");
  const cluster = await startPostgres(CLUSTER);
  return { ownerUrl: onDatabase(cluster.ownerUrl, NAME), appUrl: onDatabase(cluster.appUrl, NAME), close: cluster.adopted ? async () => undefined : cluster.stop };
}

export type Swap = { ownerUrl: string; appUrl: string; finish(): Promise<string | null>; close(): Promise<void> };

/**
 * In the embedded server, a new database that takes the name of the one in use when it is `finish`ed; that one is kept, under the
 * name given back. What was not finished is gone when it is `close`d.
 */
export async function openSwap(): Promise<Swap> {
  const cluster = await startPostgres(CLUSTER);
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const [restoring, before] = [`${NAME}_restoring_${stamp}`, `${NAME}_before_${stamp}`];
  await createDatabase(cluster.ownerUrl, restoring);
  return {
    ownerUrl: onDatabase(cluster.ownerUrl, restoring),
    appUrl: onDatabase(cluster.appUrl, restoring),
    async finish() {
      const existed = await databaseExists(cluster.ownerUrl, NAME);
      await connected(cluster.ownerUrl, async (client) => {
        if (existed) await client.query(`ALTER DATABASE "${NAME}" RENAME TO "${before}"`);
        await client.query(`ALTER DATABASE "${restoring}" RENAME TO "${NAME}"`);
      });
      return existed ? before : null;
    },
    async close() {
      await dropDatabase(cluster.ownerUrl, restoring);
      if (!cluster.adopted) await cluster.stop();
    },
  };
}
