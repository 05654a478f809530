import { beforeAll, beforeEach, expect, test } from "vitest";
import type { EntryActor } from "../kernel/context";
import { canonicalJson, type Json } from "../kernel/canonical-json";
import { addMember } from "../identity/members";
import { appending, attackOn, by, type Step } from "../testing/attack";
import { sql, testDatabase, type TestDatabase } from "../testing/database";
import { makeMerchant, type TestMerchant } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { confirmPolicy } from "./confirm";
import { pauseMerchant, resumeMerchant } from "./pause";
import { publishPolicy } from "./publish";
import { DEFAULT_RULES } from "./schema";

// The rows that wait beside the log, attacked by raw SQL with the application's own login.

let database: TestDatabase;
let shop: TestMerchant;
beforeAll(async () => { database = await testDatabase(); });
const attack = (...steps: Step[]) => attackOn(database.appUrl, shop.id, ...steps);

const RULES = { ...DEFAULT_RULES, undo_seconds: 7 };
let other: { personId: string };
beforeEach(async () => {
  shop = await makeMerchant();
  other = await addMember(shop.setup, { email: `olu@${shop.id.toLowerCase().replaceAll("_", "-")}.example`, name: "Olu Bankole", role: "admin" });
});
const about = (type: string, actor: EntryActor, data: Json = {}) => appending(shop.id, { actor, data, subject: shop.id, type });
const proposal = (person: { personId: string }, rules: object = RULES, base = 1): Step => ({
  text: "INSERT INTO policy_proposal VALUES ($1, $2, $3, encode(sha256(convert_to($3, 'UTF8')), 'hex'), $4, now())", values: [shop.id, base, canonicalJson(rules as Json), person.personId],
});
const proposed = (person: { personId: string }) => about("policy.proposed", by(person), { base: 1, rules: RULES as unknown as Json });
const declined = () => about("policy.declined", by(shop.admin), { base: 1 });

test("a proposal is one that the log tells of: same person, base and rules, and the last", async () => {
  expect(await attack(proposal(other))).toBe("CS005");
  expect(await attack(proposal(other), proposed(shop.admin))).toBe("CS005");
  expect(await attack(proposal(other, DEFAULT_RULES), proposed(other))).toBe("CS005");
  expect(await attack(proposal(other, RULES, 2), proposed(other))).toBe("CS005");
  expect(await attack(proposal(other), proposed(other), declined())).toBe("CS005");
  expect(await attack(proposal(other), proposed(other), proposed(shop.admin))).toBe("CS005");
  expect(await attack(proposal(other), proposed(other))).toBe("committed");
});
test("it goes with the entry that ends it, and is not exchanged", async () => {
  await publishPolicy(await shop.admin.ctx(), RULES);
  expect(await attack("DELETE FROM policy_proposal")).toBe("CS005");
  expect(await attack("DELETE FROM policy_proposal", proposed(other), proposal(other))).toBe("CS005");
  expect(await attack("DELETE FROM policy_proposal", declined())).toBe("committed");
});
test("what is confirmed is what the log tells, where a row was put there past the triggers", async () => {
  await publishPolicy(await shop.admin.ctx(), RULES);
  await sql(database.ownerUrl, "UPDATE policy_proposal SET proposed_by = $2 WHERE merchant_id = $1", [shop.id, other.personId]);
  const { digest: seen } = await everyMerchant().policyProposal.findUniqueOrThrow({ where: { merchantId: shop.id } });
  await expect(confirmPolicy(await shop.admin.ctx(), { digest: seen })).rejects.toMatchObject({ code: "policy_moved" });
});

const pause = (person: { personId: string }, reason = "1".repeat(64)): Step => ({ text: "INSERT INTO pause VALUES ($1, $2, now(), $3)", values: [shop.id, person.personId, reason] });
const paused = (person: { personId: string }) => about("merchant.paused", by(person), { reasonDigest: "1".repeat(64) });
const resumed = () => about("merchant.resumed", by(shop.admin));
test("a pause is one that the log tells of, and goes with its end", async () => {
  expect(await attack(pause(other))).toBe("CS005");
  expect(await attack(pause(other), paused(shop.admin))).toBe("CS005");
  expect(await attack(pause(other, "2".repeat(64)), paused(other))).toBe("CS005");
  expect(await attack(pause(other), paused(other), resumed())).toBe("CS005");
  expect(await attack(pause(other), paused(other))).toBe("committed");
  expect(await attack("DELETE FROM pause")).toBe("CS005");
  expect(await attack("DELETE FROM pause", paused(shop.admin), pause(shop.admin))).toBe("CS005");
  expect(await attack("DELETE FROM pause", resumed())).toBe("committed");
});
test("an earlier end ends nothing", async () => {
  await pauseMerchant(await shop.admin.ctx(), { reason: "Stop." });
  expect(await attack("DELETE FROM pause", resumed())).toBe("committed");
  await pauseMerchant(await shop.admin.ctx(), { reason: "Stop again." });
  expect(await attack("DELETE FROM pause")).toBe("CS005");
  await expect(resumeMerchant(await shop.admin.ctx())).rejects.toMatchObject({ code: "needs_another_admin" });
});
