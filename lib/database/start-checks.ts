import { readdirSync } from "node:fs";
import { pool } from "./client";

type Login = { name: string; above: boolean; owner: boolean };
const LOGIN = `
  SELECT r.rolname AS name, r.rolsuper OR r.rolbypassrls AS above,
         EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND pg_has_role(r.oid, c.relowner, 'MEMBER')) AS owner
    FROM pg_roles r WHERE r.rolname = current_user`;

/** The migrations in `folder` against those of the database, by name. Throws where the database does not answer. */
export async function schemaState(folder = "prisma/migrations"): Promise<{ pending: string[]; unknown: string[] }> {
  const wanted = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
  const applied = await pool().query<{ name: string }>("SELECT name FROM migrations_applied()").then(
    ({ rows }) => rows.map(({ name }) => name),
    (error: { code?: string }): string[] => {
      if (error.code === "42883") return []; // an empty database, or one from before this function
      throw error;
    },
  );
  return { pending: wanted.filter((name) => !applied.includes(name)), unknown: applied.filter((name) => !wanted.includes(name)) };
}

/** Why this process must not serve from this database, a sentence each; none where it may. */
export async function databaseProblems(): Promise<string[]> {
  try {
    const { rows: [login] } = await pool().query<Login>(LOGIN);
    const { name, above, owner } = login!;
    if (above) return [`The login ${name} of DATABASE_URL is superuser or bypasses row-level security: use one like undersigned_app, to which neither applies.`];
    if (owner) return [`The login ${name} of DATABASE_URL owns tables: use one like undersigned_app, which owns nothing, so that the database holds its rules against it.`];
    const { pending, unknown } = await schemaState();
    if (pending.length) return [`The database lacks ${pending.join(", ")}: run "npm run migrate -- deploy" with DATABASE_OWNER_URL.`];
    if (unknown.length) return [`The database has ${unknown.join(", ")}, which this version does not know: start the version that migrated it, or a newer one.`];
    return [];
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return [`The database of DATABASE_URL does not answer: ${message || code}.`];
  }
}
