import type { Report } from "../../audit/finding";
import { pool } from "../../database/client";

/** What each check is given: the merchant, and where its findings go. */
export type Checking = { merchantId: string; report: Report };

/** One statement in a read-only transaction of its own, on the merchant that is its $1: what it shows is of one moment, and no snapshot is held longer. */
export async function read<Row extends object>(text: string, values: [merchantId: string, ...unknown[]]): Promise<Row[]> {
  const client = await pool().connect();
  try {
    await client.query("BEGIN READ ONLY");
    await client.query("SELECT set_config('undersigned.merchant', $1, true)", [values[0]]);
    const { rows } = await client.query<Row>(text, values);
    await client.query("COMMIT");
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Rows in ranges of a key that never moves: flat memory, short transactions. `text` has $1 merchant, $2 last key, $3 how many. */
export async function* readRanges<Row extends object>(text: string, merchantId: string, keyOf: (row: Row) => string, size = 500): AsyncGenerator<Row[]> {
  for (let after = ""; ;) {
    const rows = await read<Row>(text, [merchantId, after, size]);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = keyOf(rows.at(-1)!);
  }
}

/** Reports each of a row's columns that does not say what its entry says. */
export function compare(said: Record<string, readonly [row: unknown, entry: unknown]>, place: string, { report }: Checking): void {
  for (const [column, [row, entry]] of Object.entries(said)) {
    if (JSON.stringify(row ?? null) !== JSON.stringify(entry ?? null)) report("state_mismatch", place, `${column} is ${JSON.stringify(row ?? null)}, its entry says ${JSON.stringify(entry ?? null)}`);
  }
}
