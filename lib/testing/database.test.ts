import { beforeAll, describe, expect, it } from "vitest";
import { setClock, sql, testDatabase, type TestDatabase } from "./database";

describe("a test's database", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });

  it("is migrated and empty", async () => {
    expect(await sql(database.appUrl, "SELECT count(*)::int AS entries FROM entry")).toEqual([{ entries: 0 }]);
  });

  it("gives the application a login that owns nothing and may make nothing", async () => {
    const [login] = await sql(
      database.appUrl,
      `SELECT rolsuper, rolcreatedb, rolcreaterole, rolbypassrls,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) + (SELECT count(*)::int FROM pg_proc WHERE proowner = r.oid) AS owned
       FROM pg_roles r WHERE rolname = current_user`,
    );
    expect(login).toEqual({ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false, owned: 0 });
    await expect(sql(database.appUrl, "CREATE TABLE mine ()")).rejects.toMatchObject({ code: "42501" });
    await expect(sql(database.appUrl, "CREATE TEMP TABLE mine ()")).rejects.toMatchObject({ code: "42501" });
  });

  it("has an owner that is not superuser", async () => {
    expect(await sql(database.ownerUrl, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")).toEqual([{ rolsuper: false }]);
  });

  it("keeps its clock where a test puts it, until it is let go", async () => {
    await setClock(database.ownerUrl, "2027-01-15T12:00:00Z");
    const stopped = await sql<{ now: Date }>(database.appUrl, "SELECT ledger_clock() AS now");
    expect(stopped[0]?.now.toISOString()).toBe("2027-01-15T12:00:00.000Z");
    await setClock(database.ownerUrl, null);
    expect(await sql(database.appUrl, "SELECT ledger_clock() - now() < interval '1 minute' AS runs")).toEqual([{ runs: true }]);
  });
});
