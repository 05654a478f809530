import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { Damaged, readBackup, type Head } from "./file";
import { COPY_SETTINGS, migrationsOf, quoted, tablesInOrder, type Table } from "./tables";

/** A database or a backup that cannot be put together: one sentence. */
export class Refused extends Error {}

/**
 * Puts a backup into an empty database of the same migrations, by its owner's login: all of it or nothing. The rows arrive as they
 * were, so the triggers that write the log are off meanwhile; foreign keys and checks hold as ever.
 */
export async function restoreBackup(ownerUrl: string, file: string): Promise<{ rows: number; at: string }> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on("error", () => undefined); // the query that runs then tells
  await client.connect();
  let at = "";
  try {
    await client.query(COPY_SETTINGS);
    await client.query("BEGIN");
    const tables = await tablesInOrder(client);
    await requireEmpty(client, tables);
    const { rows } = await readBackup(file, {
      head: async (head) => {
        at = head.at;
        await requireSameSchema(client, head);
        for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
        await client.query("SET CONSTRAINTS ALL DEFERRED");
        for (const { table, column, last, called } of head.identities) await client.query("SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)", [quoted(table), column, last, called]);
      },
      table: async (name, columns) => {
        const table = tables.find((each) => each.name === name);
        if (!table || String(table.columns) !== String(columns)) throw new Damaged(`its table ${name} is not ours`);
        const to = client.query(copyFrom(`COPY ${quoted(name)} (${columns.map(quoted).join(", ")}) FROM STDIN`));
        return { to, rows: () => to.rowCount ?? 0 };
      },
    });
    await client.query("SET CONSTRAINTS ALL IMMEDIATE");
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    await client.query("COMMIT");
    await client.query("ANALYZE");
    return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0), at };
  } catch (error) {
    if (error instanceof Damaged) throw new Refused(`${file} cannot be restored: ${error.message}. Nothing was written.`);
    throw error;
  } finally {
    await client.end(); // what was not committed is gone with it
  }
}

async function requireEmpty(client: pg.Client, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) throw new Refused('The database has no tables: run "npm run migrate -- deploy" first.');
  for (const { name } of tables) {
    const { rowCount } = await client.query(`SELECT FROM ${quoted(name)} LIMIT 1`);
    if (rowCount) throw new Refused(`The database is not empty: ${name} has rows. A backup goes into a database that was only migrated.`);
  }
}

async function requireSameSchema(client: pg.Client, head: Head): Promise<void> {
  const ours = await migrationsOf(client);
  const text = (migrations: Head["migrations"]): string => JSON.stringify(migrations.map(({ name, checksum }) => [name, checksum]));
  if (text(ours) === text(head.migrations)) return;
  const missing = head.migrations.filter(({ name, checksum }) => !ours.some((each) => each.name === name && each.checksum === checksum)).map(({ name }) => name);
  const more = ours.filter(({ name }) => !head.migrations.some((each) => each.name === name)).map(({ name }) => name);
  throw new Refused(
    `The backup is of another version: ${[missing.length ? `the database lacks its ${missing.join(", ")}` : "", more.length ? `it lacks the database's ${more.join(", ")}` : ""].filter(Boolean).join(", and ")}. Restore it with the version that wrote it, then upgrade.`,
  );
}
