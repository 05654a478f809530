import { beforeAll, describe, expect, it } from "vitest";
import { splitLines } from "../audit/bundle";
import { sha256 } from "../audit/sha256";
import { verify } from "../audit/verify";
import { connected } from "../../scripts/databases.mjs";
import { applyChange } from "../changes/apply";
import { exportBundle } from "../changes/bundle";
import { rejectChange } from "../changes/reject";
import { retractApproval } from "../changes/retract";
import { withdrawFailed } from "../changes/withdraw";
import { pauseMerchant } from "../guardrails/pause";
import { revokeKey, rotateKey } from "../identity/agents";
import { makeSignInLink } from "../identity/links";
import { setClock, sql, testDatabase, type TestDatabase } from "../testing/database";
import { everyMerchant } from "../testing/owner";
import { approve, look, makeMerchant, makeOrder, stage, type TestMerchant } from "../testing/factories";
import { fsck, fsckMerchant } from "./fsck";

type Story = { merchant: TestMerchant; log: string; paid: string; held: string; rejected: string; waiting: string; line: string; order: string; payment: string };
let database: TestDatabase;

// What keeps even the owner from the tampering below; the triggers are switched off where it happens.
const KEYS = [
  ["change", "change_has_entry"], ["entry", "entry_previous"], ["decision", "decision_has_entry"], ["store_refund", "store_refund_has_entry"], ["platform_write", "platform_write_has_entry"],
  ["payment", "payment_not_over_refunded"], ["digested_text", "digested_text_check"],
  ["agent_key", "agent_key_merchant_id_agent_id_fkey"], ["agent_session", "agent_session_merchant_id_agent_id_fkey"],
  ["change_content", "change_content_merchant_id_change_id_fkey"], ["change_verdict", "change_verdict_merchant_id_change_id_fkey"],
];

beforeAll(async () => {
  database = await testDatabase();
  for (const [table, key] of KEYS) await sql(database.ownerUrl, `ALTER TABLE ${table} DROP CONSTRAINT ${key}`);
});

/** A log of 17 entries: a refund paid by line and shipping (8 to 11), one held, one rejected, one that waits; entry 16 is the last. */
async function tell(): Promise<Story> {
  await setClock(database.ownerUrl, "2026-11-30T09:00:00Z");
  const merchant = await makeMerchant({ undo_seconds: 60 });
  const order = await makeOrder(merchant.id, { lines: [{ quantity: 2, paidMinor: 5000n }], shippingMinor: 500n });
  const { id: paid } = await stage(merchant, order, {
    lines: [{ lineId: order.lineIds[0]!, quantity: 1, restock: "returned" }], shipping: { amountMinor: "350" }, note: "caf\u00e9", evidence: [{ label: "photo", text: "a crack" }],
  });
  await approve(merchant.maya, paid);
  await setClock(database.ownerUrl, "2026-11-30T09:05:00Z");
  await applyChange(merchant.id, paid);
  const { id: held } = await stage(merchant, order, { amountMinor: 700n });
  await approve(merchant.tom, held);
  const { id: rejected, digest } = await stage(merchant, order, { amountMinor: 300n });
  await rejectChange(await merchant.tom.ctx(), { changeId: rejected, seenDigest: digest, code: "no_proof", reason: "No photo was sent" });
  const { id: waiting } = await stage(merchant, order, { amountMinor: 200n });
  return { merchant, log: merchant.id, paid, held, rejected, waiting, line: order.lineIds[0]!, order: order.id, payment: order.paymentId };
}

/** As the owner, with the triggers off of each table that is written. */
async function tamper(...statements: [text: string, ...values: unknown[]][]): Promise<void> {
  await connected(database.ownerUrl, async (client) => {
    for (const [text, ...values] of statements) {
      const table = /^(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)/.exec(text)![1];
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await client.query(text, values);
      await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    }
  });
}
const edit = (from: string, to: string): ((story: Story, seq: number) => Promise<void>) => ({ log }, seq) =>
  tamper(["UPDATE entry SET entry = regexp_replace(entry, $3, $4) WHERE merchant_id = $1 AND seq = $2", log, seq, from, to]);

/** Findings by kind and place, without ids that no test knows: of a text, a member, a refund that the store named. */
const found = async ({ log }: Story): Promise<string[]> =>
  (await fsckMerchant(log)).findings.map(({ kind, place }) => `${kind} @ ${place.replace(/^text \w{64}/, "text").replace(/^text of mem-.*/, "text of member").replace(/^member .*/, "member").replace(/^link of .*/, "link").replace(/^refund (?!rfd-Somewhere1|rfd-Unlogged01).*/, "refund")}`).toSorted();

/** Rows tampered with in one go, by round: the statement, what its $1 is, and what must be found. */
const ROWS: [round: string, statement: string, row: (story: Story) => string, findings: (story: Story) => string[]][] = [
  ["figures and persons", "UPDATE change SET state = 'applied' WHERE id = $1", (s) => s.rejected, (s) => [`state_mismatch @ change ${s.rejected}`]],
  ["figures and persons", "UPDATE change SET required = 9 WHERE id = $1", (s) => s.waiting, (s) => [`state_mismatch @ change ${s.waiting}`]],
  ["figures and persons", "UPDATE decision SET person_id = 'per-Somebody01' WHERE change_id = $1", (s) => s.held, (s) => [`state_mismatch @ decision ${s.held}/2`]],
  ["figures and persons", "UPDATE payment SET held_minor = 0 WHERE id = $1", (s) => s.payment, (s) => [`state_mismatch @ payment ${s.payment}`]],
  ["figures and persons", "UPDATE order_line SET refunded_quantity = 0 WHERE id = $1", (s) => s.line, (s) => [`state_mismatch @ line ${s.line}`]],
  ["figures and persons", "UPDATE shop_order SET shipping_refunded_minor = 0 WHERE id = $1", (s) => s.order, (s) => [`state_mismatch @ order ${s.order}`]],
  ["figures and persons", "UPDATE member SET role = 'admin' WHERE merchant_id = $1 AND role = 'auditor'", (s) => s.log, () => ["state_mismatch @ member"]],
  ["figures and persons", "UPDATE agent_key SET owner_id = 'per-Somebody01' WHERE merchant_id = $1", (s) => s.log, (s) => [`state_mismatch @ key ${s.merchant.agent.keyId}`]],
  ["figures and persons", "UPDATE policy SET rules = replace(rules, '50000', '90000') WHERE merchant_id = $1", (s) => s.log, () => ["state_mismatch @ policy 1"]],
  ["figures and persons", "UPDATE digested_text SET text = replace(text, 'photo', 'proof') WHERE merchant_id = $1 AND text LIKE '%No photo%'", (s) => s.log, (s) => [`text_mismatch @ text of ${s.rejected}`]],

  ["people and texts", "UPDATE agent_key SET persons = '{per-Somebody01}' WHERE merchant_id = $1", (s) => s.log, (s) => [`state_mismatch @ key ${s.merchant.agent.keyId}`]],
  ["people and texts", "UPDATE agent SET name = 'another-desk' WHERE merchant_id = $1", (s) => s.log, (s) => [`state_mismatch @ agent ${s.merchant.agent.id}`]],
  ["people and texts", "UPDATE person SET name = 'Somebody Else' WHERE id = $1", (s) => s.merchant.maya.personId, () => ["state_mismatch @ member"]],
  ["people and texts", "UPDATE person SET email = 'another@shop.example' WHERE id = $1", (s) => s.merchant.tom.personId, () => ["state_mismatch @ member"]],
  ["people and texts", "DELETE FROM digested_text WHERE subject = $1", (s) => s.rejected, (s) => [`missing_write @ text of ${s.rejected}`]],
  ["people and texts", "DELETE FROM digested_text WHERE subject = (SELECT id FROM member WHERE person_id = $1)", (s) => s.merchant.auditor.personId, () => ["missing_write @ text of member"]],
  ["people and texts", "UPDATE payment SET captured_minor = 1549 WHERE id = $1", (s) => s.payment, (s) => [`over_refunded @ payment ${s.payment}`]],
  ["people and texts", "INSERT INTO sign_in_link SELECT merchant_id, repeat('0', 64), person_id, now(), now() + interval '1 day' FROM member WHERE person_id = $1", (s) => s.merchant.admin.personId, () => ["unlogged_write @ link"]],

  ["marks", "UPDATE change SET digest = repeat('0', 64) WHERE id = $1", (s) => s.rejected, (s) => [`state_mismatch @ change ${s.rejected}`]],
  ["marks", "UPDATE change SET excludes = '{}' WHERE id = $1", (s) => s.waiting, (s) => [`state_mismatch @ change ${s.waiting}`]],
  ["marks", "UPDATE member SET removed_at = now() WHERE merchant_id = $1 AND role = 'auditor'", (s) => s.log, () => ["state_mismatch @ member"]],
  ["marks", "UPDATE agent_key SET revoked_at = now() WHERE merchant_id = $1", (s) => s.log, (s) => [`state_mismatch @ key ${s.merchant.agent.keyId}`]],
  ["marks", "UPDATE store_refund SET amount_minor = 1 WHERE change_id = $1 AND item = 0", (s) => s.paid, () => ["state_mismatch @ refund"]],
  ["marks", "UPDATE platform_write SET amount_minor = 1 WHERE change_id = $1 AND item = 1", (s) => s.paid, (s) => ["state_mismatch @ refund", `state_mismatch @ write ${s.paid}/1`, `state_mismatch @ payment ${s.payment}`]],
  ["marks", "UPDATE head SET leaf = repeat('0', 64) WHERE merchant_id = $1", (s) => s.log, () => ["link_broken @ head"]],
  ["marks", "UPDATE head SET paused = true WHERE merchant_id = $1", (s) => s.log, () => ["state_mismatch @ head"]],
  ["marks", "UPDATE head SET at = at + interval '1 second' WHERE merchant_id = $1", (s) => s.log, () => ["state_mismatch @ head"]],
  ["marks", "UPDATE head SET policy_version = 2 WHERE merchant_id = $1", (s) => s.log, () => ["state_mismatch @ head"]],

  ["moves", "UPDATE change SET state = 'withdrawn', revision = 3 WHERE id = $1", (s) => s.rejected, (s) => [`unlogged_write @ change ${s.rejected}`]],
  ["moves", "UPDATE change SET expires_at = expires_at + interval '1 day' WHERE id = $1", (s) => s.waiting, (s) => [`state_mismatch @ change ${s.waiting}`]],
  ["moves", "UPDATE payment SET staged_minor = 0 WHERE id = $1", (s) => s.payment, (s) => [`state_mismatch @ payment ${s.payment}`]],
  ["moves", "UPDATE payment SET refunded_minor = 0 WHERE id = $1", (s) => s.payment, (s) => [`state_mismatch @ payment ${s.payment}`]],
  ["moves", "UPDATE store_refund SET id = 'rfd-Somewhere1' WHERE change_id = $1 AND item = 0", (s) => s.paid, () => ["missing_write @ entry 11", "unlogged_write @ refund rfd-Somewhere1"]],
  ["moves", "UPDATE member SET id = 'mem-Somewhere1' WHERE merchant_id = $1 AND role = 'auditor'", (s) => s.log, () => ["missing_write @ entry 5", "unlogged_write @ member"]],
  ["moves", "UPDATE agent SET id = 'agt-Somewhere1' WHERE merchant_id = $1", (s) => s.log, () => ["missing_write @ entry 6", "unlogged_write @ agent agt-Somewhere1"]],
  ["moves", "UPDATE agent_key SET id = 'key-Somewhere1' WHERE merchant_id = $1", (s) => s.log, () => ["missing_write @ entry 7", "unlogged_write @ key key-Somewhere1"]],

  ["steps back", "UPDATE change SET revision = 1 WHERE id = $1", (s) => s.rejected, (s) => [`missing_write @ change ${s.rejected}`, `state_mismatch @ change ${s.rejected}`]],
  ["steps back", "DELETE FROM change_content WHERE change_id = $1", (s) => s.waiting, (s) => [`missing_write @ change ${s.waiting}`]],
  ["steps back", "UPDATE head SET next_seq = 9 WHERE merchant_id = $1", (s) => s.log, () => ["state_mismatch @ head"]],

  ["rows that are gone", "UPDATE change SET id = 'chg-Somewhere1' WHERE id = $1", (s) => s.waiting, () => ["missing_write @ entry 16", "unlogged_write @ change chg-Somewhere1"]],
  ["rows that are gone", "DELETE FROM decision WHERE change_id = $1", (s) => s.held, () => ["missing_write @ entry 13"]],
  ["rows that are gone", "DELETE FROM store_refund WHERE change_id = $1", (s) => s.paid, () => ["missing_write @ entry 11"]],
  ["rows that are gone", "DELETE FROM policy WHERE merchant_id = $1", (s) => s.log, () => ["missing_write @ entry 1"]],
  ["rows that are gone", "DELETE FROM head WHERE merchant_id = $1", (s) => s.log, () => ["missing_write @ head"]],
];

describe("fsck", () => {
  it("passes on an untouched log, whatever happened in it, and records the run", async () => {
    const story = await tell();
    const { merchant, held, waiting, log } = story;
    await retractApproval(await merchant.tom.ctx(), await look(merchant.tom, held));
    await approve(merchant.maya, held);
    await pauseMerchant(await merchant.admin.ctx(), { reason: "Too many at once." });
    await setClock(database.ownerUrl, "2026-11-30T09:10:00Z");
    await applyChange(log, held); // fails: paused
    await withdrawFailed(await merchant.tom.ctx(), await look(merchant.tom, held));
    await expect(approve(merchant.admin, waiting)).rejects.toMatchObject({ code: "self_approval" });
    expect(await found(story)).toEqual([]);
    const runs = await everyMerchant().fsckRun.findMany({ where: { merchantId: log } });
    expect(runs).toMatchObject([{ entries: BigInt(await everyMerchant().entry.count({ where: { merchantId: log } })), findings: 0, at: new Date("2026-11-30T09:10:00Z") }]);
  });

  it("agrees with the verification of the bundle, which needs nothing but the file", async () => {
    const { merchant, log } = await tell();
    const bundle = async () => verify(splitLines(encoded(await exportBundle(await merchant.maya.ctx(), log))), sha256);
    expect(await bundle()).toEqual({ ok: true, anchored: false, log: `undersigned/${log}`, size: 17, checkpoint: null, findings: [], notices: [], withheld: { contents: 0, texts: 0 } });
    await tamper(["UPDATE entry SET entry = replace(entry, '\"have\":1', '\"have\":2') WHERE merchant_id = $1 AND seq = 9", log]);
    expect((await bundle()).findings).toMatchObject([{ kind: "entry_altered", place: "entry 9" }]);
  });

  it("finds nothing while others write", async () => {
    const { merchant, log } = await tell();
    const write = async (_: unknown, n: number) => approve(n % 2 ? merchant.maya : merchant.tom, (await stage(merchant, await makeOrder(log))).id);
    let writing = true;
    const writers = Promise.all(Array.from({ length: 12 }, write)).finally(() => { writing = false; });
    const runs = [];
    while (writing) runs.push(await fsckMerchant(log));
    await writers;
    runs.push(await fsckMerchant(log));
    expect(runs.flatMap(({ findings }) => findings)).toEqual([]);
    expect(runs.at(-1)!.entries).toBe(17 + 24);
  });

  it.each<[string, (story: Story) => Promise<void>, (story: Story) => string[]]>([
    ["a column edited", ({ log }) => tamper(["UPDATE entry SET at = at + interval '1 second' WHERE merchant_id = $1 AND seq = 9", log]), () => ["state_mismatch @ entry 9"]],
    ["a stored hash edited", ({ log }) => tamper(["UPDATE entry SET leaf_hash = repeat('0', 64) WHERE merchant_id = $1 AND seq = 9", log]), () => ["state_mismatch @ entry 9"]],
    ["the last entries deleted", ({ log }) => tamper(["DELETE FROM entry WHERE merchant_id = $1 AND seq > 14", log]),
      ({ rejected, waiting }) => [
        "truncated @ entry 15", `unlogged_write @ change ${waiting}`, `unlogged_write @ change ${rejected}`, `unlogged_write @ decision ${rejected}/2`, `unlogged_write @ text of ${rejected}`,
      ]],
    ["entries swapped", ({ log }) => tamper(...[[3, -1], [4, 3], [-1, 4]].map(([from, to]): [string, ...unknown[]] => ["UPDATE entry SET seq = $3 WHERE merchant_id = $1 AND seq = $2", log, from, to])),
      () => ["link_broken @ entry 3", "link_broken @ entry 4", "seq_gap @ entry 3", "seq_gap @ entry 4"]],
    ["a nested member edited", (story) => edit('"have":1', '"have":2')(story, 9), () => ["entry_altered @ entry 9"]],
    ["the last entry's nested member edited", (story) => edit('"total":"200"', '"total":"201"')(story, 16), ({ waiting }) => ["entry_altered @ entry 16", `content_mismatch @ change ${waiting}`, `state_mismatch @ change ${waiting}`]],
    ["keys re-ordered", (story) => edit('("have":1),("policy":1)', "\\2,\\1")(story, 9), () => ["entry_altered @ entry 9", "not_canonical @ entry 9"]],
    ["1.0 for 1", (story) => edit('"have":1', '"have":1.0')(story, 9), () => ["entry_altered @ entry 9", "not_canonical @ entry 9"]],
    ["NFD for NFC in a content", ({ log, paid }) => tamper(["UPDATE change_content SET content = normalize(content, NFD) WHERE merchant_id = $1 AND change_id = $2", log, paid]), ({ paid }) => [`content_mismatch @ change ${paid}`]],
    ["one entry deleted in the middle", ({ log }) => tamper(["DELETE FROM entry WHERE merchant_id = $1 AND seq = 10", log]),
      ({ paid }) => ["illegal_transition @ entry 11", "link_broken @ entry 11", "seq_gap @ entry 11", `unlogged_write @ write ${paid}/0`, `unlogged_write @ write ${paid}/1`]],
    ["an altered entry whose hash was made to fit", async (story) => {
      await edit('"have":1', '"have":2')(story, 9);
      await tamper(["UPDATE entry SET leaf_hash = encode(sha256('\\x00'::bytea || convert_to(entry, 'UTF8')), 'hex') WHERE merchant_id = $1 AND seq = 9", story.log]);
    }, () => ["entry_altered @ entry 9"]],
  ])("names %s", async (_, happens, findings) => {
    const story = await tell();
    await happens(story);
    expect(await found(story)).toEqual(findings(story).toSorted());
  });

  it.each(["figures and persons", "people and texts", "marks", "moves", "steps back", "rows that are gone"])("names every row that is not what the log says, and no other: %s", async (round) => {
    const story = await tell();
    const cases = ROWS.filter((each) => each[0] === round);
    for (const [, statement, row] of cases) await tamper([statement, row(story)]);
    expect(await found(story)).toEqual(cases.flatMap(([, , , findings]) => findings(story)).toSorted());
  });

  it("names who is made the maker of a rotated key, and a link that is open again or gone", async () => {
    const story = await tell();
    const { merchant, log } = story;
    await rotateKey(await merchant.admin.ctx(), { keyId: merchant.agent.keyId, ownerId: merchant.maya.personId, expiresAt: new Date("2099-01-01T00:00:00.000Z") });
    await revokeKey(merchant.setup, { keyId: merchant.agent.keyId });
    const { email } = await everyMerchant().person.findUniqueOrThrow({ where: { id: merchant.tom.personId } });
    const links = [await makeSignInLink(merchant.setup, email), await makeSignInLink(merchant.setup, email)];
    expect(await found(story)).toEqual([]);
    await tamper(
      ["UPDATE agent_key SET made_by = 'per-Somebody01' WHERE merchant_id = $1", log],
      ["UPDATE sign_in_link SET used_at = NULL WHERE merchant_id = $1 AND used_at IS NOT NULL", log],
    );
    expect(await found(story)).toEqual([`state_mismatch @ key ${merchant.agent.keyId}`, "state_mismatch @ link"]);
    await tamper(["DELETE FROM sign_in_link WHERE merchant_id = $1", log]);
    const { size } = (await everyMerchant().$queryRaw<{ size: number }[]>`SELECT next_seq::int AS size FROM head WHERE merchant_id = ${log}`)[0]!;
    expect((await found(story)).filter((each) => each.startsWith("missing"))).toEqual(links.map((_, n) => `missing_write @ entry ${size - 2 + n}`));
  });

  it("names what was written beside the log", async () => {
    const story = await tell();
    const { log, waiting, order, payment } = story;
    await tamper(
      ["INSERT INTO change SELECT merchant_id, 'chg-Unlogged01', 1, 'staged', kind, digest, agent_id, key_id, session_id, staged_by, order_id, payment_id, currency, amount_minor, reason, required, policy, excludes, NULL, staged_at, 99, expires_at FROM change WHERE merchant_id = $1 AND id = $2", log, waiting],
      ["INSERT INTO store_refund (merchant_id, id, change_id, item, revision, order_id, payment_id, currency, amount_minor, at) VALUES ($1, 'rfd-Unlogged01', $2, 0, 2, $3, $4, 'GBP', 200, now())", log, waiting, order, payment],
      ["INSERT INTO decision (merchant_id, change_id, revision, person_id, kind, seen_digest, at) VALUES ($1, $2, 7, 'per-Somebody01', 'approve', 'x', now())", log, waiting],
      ["INSERT INTO policy (merchant_id, version, rules, published_at) VALUES ($1, 2, '{}', now())", log],
    );
    expect(await found(story)).toEqual([
      `state_mismatch @ payment ${payment}`, "unlogged_write @ change chg-Unlogged01", `unlogged_write @ decision ${waiting}/7`,
      "unlogged_write @ policy 2", "unlogged_write @ refund rfd-Unlogged01",
    ].toSorted());
  });

  it("gives two findings for two faults, tells merchants apart, and counts all entries", async () => {
    const [one, other] = [await tell(), await tell()];
    await edit('"have":1', '"have":2')(one, 9);
    await edit('"have":1', '"have":2')(one, 13);
    const progress: [number, number][] = [];
    const result = await fsck((done, total) => progress.push([done, total]));
    const places = result.findings.map(({ kind, place }) => `${kind} @ ${place}`);
    expect(places.filter((place) => place.includes(one.log))).toEqual([`entry_altered @ ${one.log} entry 9`, `entry_altered @ ${one.log} entry 13`]);
    expect(places.filter((place) => place.includes(other.log))).toEqual([]);
    const [{ entries }] = (await sql<{ entries: number }>(database.ownerUrl, "SELECT count(*)::int AS entries FROM entry")) as [{ entries: number }];
    expect(result).toMatchObject({ ok: false, anchored: false, size: entries });
    expect(progress.at(-1)![0]).toBe(entries);
  });
});

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield new TextEncoder().encode(line);
}
