import { existsSync, readFileSync } from "node:fs";

const DEMO = ".data/demo.json";
type Demo = { url: string; databaseUrl: string; ownerDatabaseUrl: string };

/** Where no database is named, that of the running demo: its logins and its address join the environment. */
export function besideDemo(): void {
  const { env } = process;
  if (env.DATABASE_URL || env.DATABASE_OWNER_URL || !existsSync(DEMO)) return;
  const { url, databaseUrl, ownerDatabaseUrl } = JSON.parse(readFileSync(DEMO, "utf8")) as Demo;
  env.DATABASE_URL = databaseUrl;
  env.DATABASE_OWNER_URL = ownerDatabaseUrl;
  env.UNDERSIGNED_URL ??= url;
}
