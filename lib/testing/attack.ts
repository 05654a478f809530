import pg from "pg";
import { canonicalJson, type Json } from "../kernel/canonical-json";
import type { EntryActor } from "../kernel/context";

export type Step = string | { text: string; values: unknown[] };

/** Runs the steps in one transaction of the application's login, as one merchant; gives the SQLSTATE that refused them, or "committed". */
export async function attackOn(appUrl: string, merchantId: string, ...steps: Step[]): Promise<string> {
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT set_config('undersigned.merchant', $1, true)", [merchantId]);
    for (const step of steps) await client.query(step);
    await client.query("COMMIT");
    return "committed";
  } catch (error) {
    return String((error as { code?: string }).code);
  } finally {
    await client.end();
  }
}

export const by = ({ personId }: { personId: string }): EntryActor => ({ kind: "person", id: personId });

export type Draft = { actor: EntryActor; data?: Json; digest?: string; revision?: number; subject: string; type: string };
export const appending = (merchantId: string, draft: Draft): Step => ({ text: "SELECT ledger_append($1, $2)", values: [merchantId, canonicalJson({ data: {}, ...draft })] });
