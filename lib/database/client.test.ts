import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../testing/database";
import { pool, prisma } from "./client";
import { databaseNow } from "./transactions";

beforeAll(() => testDatabase());

const end = async (pid: number): Promise<void> => {
  await pool().query("SELECT pg_terminate_backend($1)", [pid]);
  await expect.poll(async () => (await pool().query("SELECT FROM pg_stat_activity WHERE pid = $1", [pid])).rowCount).toBe(0);
};

test("a connection that breaks between two statements ends what was using it, not the process", async () => {
  const connection = await pool().connect();
  await end(Number((await connection.query("SELECT pg_backend_pid() AS pid")).rows[0].pid));
  await expect(connection.query("SELECT 1")).rejects.toBeInstanceOf(Error);
  connection.release(true);
  const cut = prisma().$transaction(async (db) => {
    const [row] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await end(row!.pid);
    return db.$queryRaw`SELECT 1`;
  });
  await expect(cut).rejects.toBeInstanceOf(Error);
  expect(await databaseNow()).toBeInstanceOf(Date);
});
