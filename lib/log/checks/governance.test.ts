import { beforeAll, expect, test } from "vitest";
import { connected } from "../../../scripts/databases.mjs";
import { pauseMerchant } from "../../guardrails/pause";
import { publishPolicy } from "../../guardrails/publish";
import { DEFAULT_RULES } from "../../guardrails/schema";
import { addMember } from "../../identity/members";
import { approveChange } from "../../changes/approve";
import { testDatabase } from "../../testing/database";
import { look, makeMerchant, makeOrder, stage } from "../../testing/factories";
import { fsckMerchant } from "../fsck";

let owner: string;
beforeAll(async () => { owner = (await testDatabase()).ownerUrl; });

/** A merchant where a policy waits for a second admin, the switch is thrown and a refund has a time. */
async function tell(): Promise<{ log: string; id: string }> {
  const shop = await makeMerchant();
  await addMember(shop.setup, { email: `olu-${shop.id.toLowerCase()}@example.com`, name: "Olu Bankole", role: "admin" });
  const { id } = await stage(shop, await makeOrder(shop.id));
  const local = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T09:00`;
  await approveChange(await shop.tom.ctx(), { ...(await look(shop.tom, id)), local, zone: "Europe/London" });
  await publishPolicy(await shop.admin.ctx(), { ...DEFAULT_RULES, undo_seconds: 0 }, 1);
  await pauseMerchant(await shop.admin.ctx(), { reason: "Stop." });
  return { log: shop.id, id };
}

const found = async (log: string) => (await fsckMerchant(log)).findings.map(({ kind, place }) => `${kind} @ ${place}`);

test.each<[string, (id: string) => string]>([
  ["UPDATE policy_proposal SET rules = replace(rules, '50000', '90000'), digest = encode(sha256(convert_to(replace(rules, '50000', '90000'), 'UTF8')), 'hex') WHERE merchant_id = $1", () => "state_mismatch @ policy proposal"],
  ["UPDATE policy_proposal SET proposed_by = (SELECT person_id FROM member m WHERE m.merchant_id = $1 AND m.role = 'operator' LIMIT 1) WHERE merchant_id = $1", () => "state_mismatch @ policy proposal"],
  ["DELETE FROM policy_proposal WHERE merchant_id = $1", () => "missing_write @ policy proposal"],
  ["UPDATE pause SET paused_by = (SELECT person_id FROM member m WHERE m.merchant_id = $1 AND m.role = 'operator' LIMIT 1) WHERE merchant_id = $1", () => "state_mismatch @ pause"],
  ["DELETE FROM pause WHERE merchant_id = $1", () => "missing_write @ pause"],
  ["UPDATE change_schedule SET at = at - interval '1 hour' WHERE merchant_id = $1", (id) => `state_mismatch @ schedule ${id}/3`],
  ["UPDATE change_schedule SET revision = 2 WHERE merchant_id = $1", (id) => `unlogged_write @ schedule ${id}/2`],
])("%s", async (statement, finding) => {
  const { log, id } = await tell();
  expect(await found(log)).toEqual([]);
  await connected(owner, async (client) => {
    const table = /^(?:UPDATE|DELETE FROM) (\w+)/.exec(statement)![1];
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await client.query(statement, [log]);
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  });
  expect(await found(log)).toEqual([finding(id)]);
});
