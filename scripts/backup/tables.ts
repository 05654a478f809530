import type { Client } from "pg";

/** A table as a backup writes it: the columns that are stored and not computed, in order. */
export type Table = { name: string; columns: string[] };
/** A sequence behind an identity column. */
export type Identity = { table: string; column: string; last: string; called: boolean };
export type Migration = { name: string; checksum: string };

const TABLES = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations' GROUP BY c.relname ORDER BY c.relname`;
/** Foreign keys that are checked as rows arrive; deferred ones wait for the end. */
const NEEDS = `
  SELECT c.conrelid::regclass::text AS of, c.confrelid::regclass::text AS on FROM pg_constraint c
   WHERE c.contype = 'f' AND NOT c.condeferrable AND c.conrelid <> c.confrelid AND c.connamespace = 'public'::regnamespace`;
const IDENTITIES = `
  SELECT c.relname AS table, a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   WHERE a.attidentity <> '' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`;
const MIGRATIONS = `SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`;

/** Every table, those first that others refer to. */
export async function tablesInOrder(client: Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(TABLES);
  const { rows: needs } = await client.query<{ of: string; on: string }>(NEEDS);
  const ordered: Table[] = [];
  const place = (table: Table): void => {
    if (ordered.includes(table)) return;
    for (const { on } of needs.filter(({ of }) => quoteless(of) === table.name)) place(tables.find(({ name }) => name === quoteless(on))!);
    ordered.push(table);
  };
  tables.forEach(place);
  return ordered;
}

export async function identitiesOf(client: Client): Promise<Identity[]> {
  const { rows } = await client.query<{ table: string; column: string }>(IDENTITIES);
  const found: Identity[] = [];
  for (const { table, column } of rows) {
    const { rows: [sequence] } = await client.query<{ name: string }>("SELECT pg_get_serial_sequence($1, $2) AS name", [quoted(table), column]);
    const { rows: [state] } = await client.query<{ last: string; called: boolean }>(`SELECT last_value::text AS last, is_called AS called FROM ${sequence!.name}`);
    found.push({ table, column, ...state! });
  }
  return found;
}

export async function migrationsOf(client: Client): Promise<Migration[]> {
  return (await client.query<Migration>(MIGRATIONS)).rows;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoteless = (name: string): string => name.replace(/^"(.*)"$/, "$1");

/** The form in which values are copied, whatever the server's own settings are. */
export const COPY_SETTINGS = "SET client_encoding = 'UTF8'; SET datestyle = 'ISO'; SET intervalstyle = 'iso_8601'; SET timezone = 'UTC'; SET extra_float_digits = 3; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";
