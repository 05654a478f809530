import { beforeAll, expect, test } from "vitest";
import { connected } from "../../scripts/databases.mjs";
import { fsckMerchant } from "../log/fsck";
import { setClock, testDatabase, type TestDatabase } from "../testing/database";
import { approve, makeMerchant, makeOrder, readLog, stage } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { closeRefusalMinutes } from "./close-refusal-minutes";
import { forgetMinutes } from "./forget-minutes";

let database: TestDatabase;
beforeAll(async () => { database = await testDatabase(); });

const refused = async (merchantId: string) => (await readLog(merchantId)).filter(({ type }) => type === "change.refused");

test("many keys together leave a bounded trace in a minute, every refusal is counted once, and a person's attempt is still told", async () => {
  await setClock(database.ownerUrl, "2027-01-01T12:00:10.000Z");
  const merchant = await makeMerchant();
  const { id } = await stage(merchant, await makeOrder(merchant.id));
  const entry = JSON.stringify({ actor: { for: merchant.admin.personId, id: merchant.agent.id, kind: "agent" }, data: { code: "guardrail_violation", verb: "stage" }, subject: merchant.agent.id, type: "change.refused" });
  const flood = (times: number, keys: number) => connected(database.appUrl, async (client) => {
    await client.query("SELECT set_config('undersigned.merchant', $1, false)", [merchant.id]);
    await client.query("SELECT count(refusal_append($1, $2, 'key-' || lpad((n % $3)::text, 10, '0'), $4)) FROM generate_series(1, $5) n", [merchant.id, merchant.agent.id, keys, entry, times]);
  });
  await flood(100, 1); // one key alone
  await flood(2000, 100);
  await expect(approve(merchant.admin, id)).rejects.toMatchObject({ code: "self_approval" });
  expect((await refused(merchant.id)).at(-1)).toMatchObject({ actor: { id: merchant.admin.personId }, data: { code: "self_approval" } });

  await setClock(database.ownerUrl, "2027-01-01T12:01:00.000Z");
  await closeRefusalMinutes();
  await closeRefusalMinutes();
  const entries = await refused(merchant.id);
  const closing = entries.filter(({ data }) => data.code === "rate_closed");
  expect(Object.fromEntries(closing.map(({ subject, data }) => [subject, data.count]))).toEqual({ [merchant.agent.id]: 45, [merchant.id]: 1455 });
  expect(entries.length).toBe(603);
  const listed = entries.length - closing.length - 1;
  expect(listed + closing.reduce((sum, { data }) => sum + Number(data.count), 0)).toBe(2100);
  expect((await fsckMerchant(merchant.id)).findings).toEqual([]);

  await setClock(database.ownerUrl, "2027-01-01T14:00:00.000Z");
  await forgetMinutes();
  expect(await everyMerchant().refusalMinute.count({ where: { merchantId: merchant.id } })).toBe(0);
});
