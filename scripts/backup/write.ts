import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { BackupWriter } from "./file";
import { COPY_SETTINGS, identitiesOf, migrationsOf, quoted, tablesInOrder } from "./tables";

export type Backup = { rows: number; tables: number; sha256: string };

/** Writes every row of a database as one instant had them, by its owner's login. Writers are not held up. */
export async function writeBackup(ownerUrl: string, file: string): Promise<Backup> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on("error", () => undefined); // the query that runs then tells
  await client.connect();
  const writer = new BackupWriter(file);
  try {
    await client.query(COPY_SETTINGS);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const tables = await tablesInOrder(client);
    const { rows: [now] } = await client.query<{ at: Date; server: string }>("SELECT now() AS at, current_setting('server_version') AS server");
    const head = { at: now!.at.toISOString(), server: now!.server, migrations: await migrationsOf(client) };
    // Sequences stand outside the snapshot and only grow: read after it began, they are beyond every row in it.
    await writer.head({ format: "undersigned-backup/1", ...head, identities: await identitiesOf(client) });
    for (const { name, columns } of tables) {
      const copy = client.query(copyTo(`COPY ${quoted(name)} (${columns.map(quoted).join(", ")}) TO STDOUT`));
      await writer.table(name, columns, copy, () => copy.rowCount);
    }
    const { rows, sha256 } = await writer.end();
    return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0), tables: tables.length, sha256 };
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    await client.end();
  }
}
