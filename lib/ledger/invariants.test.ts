import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import pg from "pg";
import { attackOn, type Step } from "../testing/attack";
import { testDatabase, type TestDatabase } from "../testing/database";
import { changeRole } from "../identity/members";
import { everyMerchant } from "../testing/owner";
import { approve, makeMerchant, makeOrder, stage, type TestMerchant, type TestOrder } from "../testing/factories";
import type { ChangeShape } from "../changes/shape";

// I1 to I4, attacked by raw SQL with the application's own login: what the code would never do must be impossible, not merely absent.

let database: TestDatabase;
let merchant: TestMerchant;
let order: TestOrder;
let change: ChangeShape;

beforeAll(async () => {
  database = await testDatabase();
  merchant = await makeMerchant({ refund_approvals: [{ approvals: 1, up_to: { GBP: "15000" } }, { approvals: 2 }] });
});
beforeEach(async () => {
  order = await makeOrder(merchant.id);
  change = await stage(merchant, order, { amountMinor: 6000n });
  tenancy = merchant.id;
});

let tenancy = "";
const attack = (...steps: Step[]): Promise<string> => attackOn(database.appUrl, tenancy, ...steps);

const move = (to: string, by = 1): Step => ({ text: "UPDATE change SET state = $3, revision = revision + $4 WHERE merchant_id = $1 AND id = $2", values: [merchant.id, change.id, to, by] });
const DECISIONS: Record<string, string> = { "change.endorsed": "endorse", "change.approved": "approve", "change.rejected": "reject", "change.retracted": "retract" };
/** An entry, with the decision row that it tells of where it tells of one. */
const entry = (type: string, revision: number | undefined, more: object = {}): Step => ({
  text: `WITH d AS (INSERT INTO decision SELECT $1, $3, $4::int, $5, $6::text, $7, NULL, NULL, now() WHERE $6::text IS NOT NULL) SELECT ledger_append($1, $2)`,
  values: [
    merchant.id, JSON.stringify({ actor: { id: merchant.tom.personId, kind: "person" }, data: {}, digest: revision ? change.digest : undefined, revision, subject: change.id, type, ...more }),
    change.id, revision ?? null, merchant.tom.personId, revision ? (DECISIONS[type] ?? null) : null, change.digest,
  ],
});
const onChange = (text: string): Step => ({ text: `${text} WHERE merchant_id = $1 AND id = $2`, values: [merchant.id, change.id] });

const sending = (revision: number, amount = 6000, item = 0): Step => ({
  text: "INSERT INTO platform_write (merchant_id, change_id, item, revision, amount_minor, state, sent_at) VALUES ($1, $2, $3, $4, $5, 'sending', now())", values: [merchant.id, change.id, item, revision, amount],
});
const done: Step = "UPDATE platform_write SET state = 'done', reference = 'r', done_at = now()";

describe("I1: no change exists or moves without its entry", () => {
  test("the lawful move commits", async () => expect(await attack(move("rejected"), entry("change.rejected", 2))).toBe("committed"));
  test("a state moved without revision", async () => expect(await attack(move("approved", 0))).toBe("CS003"));
  test("a move without an entry", async () => expect(await attack(move("rejected"))).toBe("23503"));
  test("two moves with one entry", async () => expect(await attack(move("approved"), move("rejected"), entry("change.rejected", 3))).toBe("CS005"));
  test("applied on a rejected entry", async () => expect(await attack(move("approved"), entry("change.rejected", 2))).toBe("CS006"));
  test("an entry without a move", async () => expect(await attack(entry("change.approved", 2))).toBe("CS006"));
  test("an entry for a revision that has one", async () => expect(await attack(entry("change.staged", 1))).toBe("23505"));
  test("an entry skipped", async () => expect(await attack(move("approved", 2), entry("change.approved", 3))).toBe("CS003"));
  test("an entry of another digest", async () => expect(await attack(move("rejected"), entry("change.rejected", 2, { digest: "0".repeat(64) }))).toBe("CS006"));
  test("a wrong entry between two moves", async () =>
    expect(await attack(move("approved"), entry("change.rejected", 2), move("rejected"), entry("change.rejected", 3))).toBe("CS006"));
  test("a move without revision and digest in its entry", async () => expect(await attack(move("rejected"), entry("change.rejected", undefined))).toBe("CS008"));
  test("a change made without an entry", async () =>
    expect(await attack(onChange(`INSERT INTO change SELECT merchant_id, 'chg-aaaaaaaaaa', 1, 'staged', kind, digest, agent_id, key_id, session_id, staged_by, order_id, payment_id, currency, amount_minor,
      reason, required, policy, excludes, supersedes, staged_at, staged_seq, expires_at, NULL FROM change`))).toBe("23503"));
  test("a change made approved", async () =>
    expect(await attack(onChange(`INSERT INTO change SELECT merchant_id, 'chg-aaaaaaaaaa', 1, 'approved', kind, digest, agent_id, key_id, session_id, staged_by, order_id, payment_id, currency, amount_minor,
      reason, required, policy, excludes, supersedes, staged_at, staged_seq, expires_at, NULL FROM change`))).toBe("CS003"));
  test.each(["digest = repeat('0', 64)", "amount_minor = 1", "excludes = '{}'", "required = 1", "expires_at = now()", "payment_id = 'pay-aaaaaaaaaa'"])("a member edited: %s", async (edit) =>
    expect(await attack(onChange(`UPDATE change SET ${edit}, revision = revision + 1`))).toBe("42501"));
  test("content edited, replaced or of another digest", async () => {
    const content = { text: "UPDATE change_content SET content = '{}' WHERE merchant_id = $1 AND change_id = $2", values: [merchant.id, change.id] };
    expect(await attack(content)).toBe("42501");
    const replaced = [{ text: "DELETE FROM change_content WHERE merchant_id = $1 AND change_id = $2", values: [merchant.id, change.id] }, { text: "INSERT INTO change_content VALUES ($1, $2, '{}')", values: [merchant.id, change.id] }];
    expect(await attack(...replaced)).toBe("CS004");
  });
  test("a decision's entry without its decision, or by another person", async () => {
    const bare = (actor: string): Step => ({ text: "SELECT ledger_append($1, $2)", values: [merchant.id, JSON.stringify({ actor: { id: actor, kind: "person" }, data: {}, digest: change.digest, revision: 2, subject: change.id, type: "change.rejected" })] });
    expect(await attack(move("rejected"), bare(merchant.tom.personId))).toBe("CS010");
    const decision = { text: "INSERT INTO decision VALUES ($1, $2, 2, $3, 'reject', $4, NULL, NULL, now())", values: [merchant.id, change.id, merchant.tom.personId, change.digest] };
    expect(await attack(move("rejected"), decision, bare(merchant.maya.personId))).toBe("CS010");
  });
  test("approved by too few", async () => {
    const large = await makeOrder(merchant.id, { lines: [{ quantity: 1, paidMinor: 40_000n }] });
    change = await stage(merchant, large, { amountMinor: 20_000n });
    expect(change.required).toBe(2);
    expect(await attack(move("approved"), entry("change.approved", 2))).toBe("CS010");
  });
  test("approved with the endorsement of one who may decide no more, or by one who never might", async () => {
    const large = await makeOrder(merchant.id, { lines: [{ quantity: 1, paidMinor: 40_000n }] });
    change = await stage(merchant, large, { amountMinor: 20_000n });
    await approve(merchant.maya, change.id);
    const { id: memberId } = await everyMerchant().member.findFirstOrThrow({ where: { merchantId: merchant.id, personId: merchant.maya.personId } });
    await changeRole(await merchant.admin.ctx(), { memberId, role: "auditor" });
    expect(await attack(move("approved"), entry("change.approved", 3))).toBe("CS010");
    await changeRole(await merchant.admin.ctx(), { memberId, role: "operator" });
    const byAuditor = { text: "INSERT INTO decision VALUES ($1, $2, 3, $3, 'endorse', $4, NULL, NULL, now())", values: [merchant.id, change.id, merchant.auditor.personId, change.digest] };
    expect(await attack(byAuditor)).toBe("CS010");
    expect(await attack(move("approved"), entry("change.approved", 3))).toBe("committed");
  });
  test("a decision or a refund without its entry", async () => {
    const decision = { text: "INSERT INTO decision VALUES ($1, $2, 2, $3, 'reject', $4, NULL, NULL, now())", values: [merchant.id, change.id, merchant.tom.personId, change.digest] };
    expect(await attack(decision)).toBe("23503");
    const refund = { text: "INSERT INTO store_refund VALUES ($1, 'rfd-aaaaaaaaaa', $2, 0, 2, $3, $4, 'GBP', 6000, now())", values: [merchant.id, change.id, order.id, order.paymentId] };
    expect(await attack(refund)).toBe("CS009");
    expect(await attack(sending(1))).toBe("CS009");
  });
});

describe("I2: the log is append-only and gapless", () => {
  test.each(["entry", "head", "change", "decision", "store_refund"])("%s: deleted, truncated", async (table) => {
    expect(await attack(`DELETE FROM ${table}`)).toBe("42501");
    expect(await attack(`TRUNCATE ${table} CASCADE`)).toBe("42501");
  });
  test.each(["UPDATE entry SET entry = entry", "UPDATE head SET next_seq = 0", "UPDATE head SET paused = true", "UPDATE decision SET kind = 'approve'", "UPDATE store_refund SET amount_minor = 1"])("%s", async (text) =>
    expect(await attack(text)).toBe("42501"));
  test("seq, time and hash cannot be given", async () => {
    expect(await attack(`INSERT INTO entry (merchant_id, seq, at, entry, leaf_hash) VALUES ('${merchant.id}', 99999, now(), '{}', 'x')`)).toBe("42501");
    expect(await attack({ text: "INSERT INTO head VALUES ($1, 5, now(), repeat('0',64), 1, false)", values: [merchant.id] })).toBe("42501");
  });
  test("a log begins once, and policy versions follow each other", async () => {
    expect(await attack(entry("log.opened", undefined))).toBe("CS008");
    expect(await attack(entry("policy.published", undefined, { data: { version: 7 } }))).toBe("CS008");
  });
  test("as the owner, triggers still refuse to rewrite", async () => {
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    for (const text of ["DELETE FROM entry", "UPDATE entry SET entry = ''", "TRUNCATE entry CASCADE", "DELETE FROM change", "UPDATE store_refund SET amount_minor = 1"]) {
      await expect(owner.query(text)).rejects.toMatchObject({ code: "CS001" });
    }
    await owner.end();
  });
  test.each([
    "ALTER TABLE entry DISABLE TRIGGER ALL", "ALTER TABLE change DROP CONSTRAINT change_has_entry", "SET session_replication_role = replica", "DROP TABLE entry", "CREATE TABLE mine ()",
    "CREATE OR REPLACE FUNCTION ledger_clock() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'", "SET ROLE undersigned_owner",
  ])("the application cannot: %s", async (text) => expect(await attack(text)).toBe("42501"));
});

describe("what goes one way only", () => {
  test("a key's persons, a revoked key, a sign-in that has ended", async () => {
    expect(await attack({ text: "UPDATE agent_key SET persons = '{}' WHERE merchant_id = $1", values: [merchant.id] })).toBe("CS010");
    expect(await attack({ text: "UPDATE agent_key SET owner_id = $2 WHERE merchant_id = $1", values: [merchant.id, merchant.tom.personId] })).toBe("CS010");
    expect(await attack("UPDATE agent_key SET revoked_at = now()", "UPDATE agent_key SET revoked_at = NULL")).toBe("CS010");
    expect(await attack("UPDATE sign_in SET ended_at = now()", "UPDATE sign_in SET ended_at = NULL")).toBe("CS010");
    expect(await attack({ text: "INSERT INTO platform_account VALUES ($1, 'http', 'http://mine', 's')", values: [merchant.id] })).toBe("42501");
  });
});

describe("I3: a change moves only along the lifecycle", () => {
  test.each([["applied", "change.applied"], ["applying", "change.applying"], ["failed", "change.failed"]])("staged to %s", async (to, type) =>
    expect(await attack(move(to), entry(type, 2))).toBe("CS003"));
  test("out of a final state", async () => {
    expect(await attack(move("rejected"), entry("change.rejected", 2))).toBe("committed");
    expect(await attack(move("staged"), entry("change.retracted", 3))).toBe("CS003");
  });
  test("applied before its items are done", async () =>
    expect(await attack(move("approved"), entry("change.approved", 2), move("applying"), entry("change.applying", 3), move("applied"), entry("change.applied", 4))).toBe("CS009"));
});

describe("I4: money", () => {
  test("a payment's sums move only with changes and refunds", async () => {
    for (const column of ["refunded_minor", "held_minor", "staged_minor"]) expect(await attack(`UPDATE payment SET ${column} = 0`)).toBe("42501");
    expect(await attack("UPDATE order_line SET refunded_minor = 0")).toBe("42501");
    expect(await attack("UPDATE shop_order SET shipping_minor = 0")).toBe("42501");
  });
  test("holds beyond captured", async () => {
    const other = await stage(merchant, order, { amountMinor: 6000n });
    expect(await attack(move("approved"), entry("change.approved", 2))).toBe("committed");
    change = other;
    expect(await attack(move("approved"), entry("change.approved", 2))).toBe("23514");
  });
  test("captured below what is held", async () => {
    expect(await attack(move("approved"), entry("change.approved", 2))).toBe("committed");
    expect(await attack({ text: "UPDATE payment SET captured_minor = 5999 WHERE merchant_id = $1 AND id = $2", values: [merchant.id, order.paymentId] })).toBe("23514");
  });
  test("an item sent for another amount, or one that the change does not have", async () => {
    const begun = [move("approved"), entry("change.approved", 2), move("applying"), entry("change.applying", 3)];
    expect(await attack(...begun, sending(3, 5999))).toBe("CS009");
    expect(await attack(...begun, sending(3, 6000, 1))).toBe("CS009");
    expect(await attack(...begun, sending(3), done, done)).toBe("CS009");
  });
  test("no refund twice, of another amount, or of a change that is not applying", async () => {
    const quick = await makeMerchant({ undo_seconds: 0 });
    const paid = await makeOrder(quick.id);
    tenancy = quick.id;
    const applied = await stage(quick, paid, { amountMinor: 1000n });
    await approve(quick.tom, applied.id);
    const again = { text: "INSERT INTO store_refund VALUES ($1, 'rfd-aaaaaaaaaa', $2, 0, 3, $3, $4, 'GBP', 1000, now())", values: [quick.id, applied.id, paid.id, paid.paymentId] };
    expect(await attack(again)).toBe("CS009");
    expect(await attack({ text: "UPDATE platform_write SET state = 'sending', reference = NULL, done_at = NULL WHERE merchant_id = $1 AND change_id = $2", values: [quick.id, applied.id] })).toBe("CS009");
    expect(await attack("DELETE FROM platform_write")).toBe("42501");
    expect((await everyMerchant().payment.findFirstOrThrow({ where: { id: paid.paymentId } })).refundedMinor).toBe(1000n);
  });
});
