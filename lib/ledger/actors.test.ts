import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EntryActor } from "../kernel/context";
import { canonicalJson, type Json } from "../kernel/canonical-json";
import { sha256Hex } from "../kernel/digest";
import { scheduleChange } from "../changes/schedule";
import { appending, attackOn, by, type Draft, type Step } from "../testing/attack";
import { testDatabase, type TestDatabase } from "../testing/database";
import { approve, makeMerchant, makeOrder, stage, type TestMerchant, type TestOrder } from "../testing/factories";
import { everyMerchant } from "../testing/owner";

// Who acts in an entry, and what a trim asks for, attacked by raw SQL with the application's own login.

let database: TestDatabase;
let shop: TestMerchant;
let order: TestOrder;
let id: string;
let digest: string;

beforeAll(async () => {
  database = await testDatabase();
  shop = await makeMerchant({ undo_seconds: 600 });
});
beforeEach(async () => {
  order = await makeOrder(shop.id, { lines: [{ quantity: 3, paidMinor: 3000n }, { quantity: 1, paidMinor: 2000n }] });
  ({ id, digest } = await stage(shop, order, { lines: [{ lineId: order.lineIds[0]!, quantity: 2, restock: "none" }, { lineId: order.lineIds[1]!, quantity: 1, restock: "none" }] }));
});

const attack = (...steps: Step[]) => attackOn(database.appUrl, shop.id, ...steps);
const append = (draft: Draft): Step => appending(shop.id, draft);
const move = (to: string, type: string, revision: number, actor: EntryActor, { at = null, data = {} }: { at?: string | null; data?: Json } = {}): Step[] => [
  { text: "UPDATE change SET state = $3, revision = $4, effective_at = $5 WHERE merchant_id = $1 AND id = $2", values: [shop.id, id, to, revision, at] },
  append({ actor, data, digest, revision, subject: id, type }),
];

describe("who sets a time", () => {
  const AT = "2098-06-01T09:00:00.000Z";
  const scheduled = (actor: EntryActor, at: string | null = AT, told = at) => move("approved", "change.scheduled", 3, actor, { at, data: told ? { at: told } : {} });
  const row = (person: string, { revision = 3, at = AT } = {}): Step => ({ text: "INSERT INTO change_schedule VALUES ($1, $2, $3, $4, '2098-06-01T10:00', 'Europe/London', $5)", values: [shop.id, id, revision, person, at] });
  beforeEach(async () => { await approve(shop.tom, id); });

  test("the lawful way commits, row first", async () => expect(await attack(row(shop.maya.personId), ...scheduled(by(shop.maya)))).toBe("committed"));
  test.each([
    ["an auditor", () => by(shop.auditor)], ["whom it excludes", () => by(shop.admin)], ["nobody", () => ({ kind: "person", id: "per-AAAAAAAAAA" })],
    ["the system", () => ({ kind: "system", id: shop.maya.personId })], ["an agent", () => ({ kind: "agent", id: shop.agent.id, for: shop.maya.personId })],
  ] as [string, () => EntryActor][])("not %s", async (_, actor) => {
    expect(await attack(...scheduled(actor()))).toBe("CS010");
    expect(await attack(...scheduled(actor(), null))).toBe("CS010");
  });
  test("to another time than the entry says", async () => {
    expect(await attack(...scheduled(by(shop.maya), AT, "2098-06-01T09:00:00.001Z"))).toBe("CS006");
    expect(await attack(...scheduled(by(shop.maya), AT, null))).toBe("CS006");
  });
  test("a row of another person, of another time, beside another entry, or of none", async () => {
    expect(await attack(row(shop.tom.personId), ...scheduled(by(shop.maya)))).toBe("CS005");
    expect(await attack(row(shop.maya.personId, { at: "2098-06-01T09:00:00.001Z" }), ...scheduled(by(shop.maya)))).toBe("CS005");
    expect(await attack(row(shop.tom.personId, { revision: 2 }))).toBe("CS005");
    expect(await attack(row(shop.maya.personId), ...scheduled(by(shop.maya), null))).toBe("CS005");
    expect(["23503", "CS005"]).toContain(await attack(row(shop.maya.personId)));
  });
});

describe("who carries out", () => {
  const begin = (revision: number, actor: EntryActor) => move("applying", "change.applying", revision, actor);
  const fail = (revision: number, actor: EntryActor) => move("failed", "change.failed", revision, actor);
  beforeEach(async () => { await approve(shop.tom, id); });

  test("the approver begins and ends; nobody else does", async () => {
    for (const other of [by(shop.maya), by(shop.auditor), { kind: "system", id: shop.tom.personId } as const]) {
      expect(await attack(...begin(3, other))).toBe("CS010");
      expect(await attack(...fail(3, other))).toBe("CS010");
      expect(await attack(...begin(3, by(shop.tom)), ...fail(4, other))).toBe("CS010");
    }
    expect(await attack(...begin(3, by(shop.tom)), ...fail(4, by(shop.tom)))).toBe("committed");
  });
  test("applied as another than who began", async () => {
    const items: Step[] = [0, 1].flatMap((item) => [
      { text: "INSERT INTO platform_write (merchant_id, change_id, item, revision, amount_minor, state, sent_at) SELECT $1, $2, $3, 3, amount, 'sending', now() FROM (VALUES (0, 2000), (1, 2000)) v (item, amount) WHERE item = $3", values: [shop.id, id, item] },
      { text: "UPDATE platform_write SET state = 'done', reference = 'r', done_at = now() WHERE merchant_id = $1 AND change_id = $2 AND item = $3", values: [shop.id, id, item] },
    ]);
    const applied = (actor: EntryActor) => [...begin(3, by(shop.tom)), ...items, ...move("applied", "change.applied", 4, actor)];
    expect(await attack(...applied(by(shop.maya)))).toBe("CS010");
    expect(await attack(...applied(by(shop.tom)))).toBe("committed");
  });
  test("who set the time last begins it, and not the approver", async () => {
    await scheduleChange(await shop.maya.ctx(), { changeId: id, seenDigest: digest, when: "next" });
    expect(await attack(...begin(4, by(shop.tom)))).toBe("CS010");
    expect(await attack(...begin(4, by(shop.maya)), ...fail(5, by(shop.maya)))).toBe("committed");
  });
  test("a failed one is tried again by one who might approve it", async () => {
    expect(await attack(...fail(3, by(shop.tom)))).toBe("committed");
    for (const other of [by(shop.admin), by(shop.auditor), { kind: "system", id: shop.maya.personId } as const]) expect(await attack(...begin(4, other))).toBe("CS010");
    expect(await attack(...begin(4, by(shop.maya)))).toBe("committed");
  });
});

type Made = { actor: EntryActor; row?: object; content?: (text: string) => string; before?: Step[] };
/** A copy of the change with another id, and its entry: lawful but for what is given. */
async function copied({ actor, row = {}, content = (text) => text, before = [] }: Made): Promise<string> {
  const held = await everyMerchant().changeContent.findFirstOrThrow({ where: { changeId: id } });
  const text = content(held.content);
  const copy = "chg-CCCCCCCCCC";
  return attack(
    ...before,
    { text: "INSERT INTO change SELECT (x).* FROM (SELECT jsonb_populate_record(c, $3::jsonb) AS x FROM change c WHERE merchant_id = $1 AND id = $2) y", values: [shop.id, id, JSON.stringify({ id: copy, state: "staged", revision: 1, digest: sha256Hex(text), ...row })] },
    { text: "INSERT INTO change_content VALUES ($1, $2, $3)", values: [shop.id, copy, text] },
    append({ actor, digest: sha256Hex(text), revision: 1, subject: copy, type: "change.staged" }),
    "SET CONSTRAINTS ALL IMMEDIATE", "ROLLBACK AND CHAIN", // it was let through; the next attack makes it again
  );
}

describe("who stages", () => {
  const agent = (): EntryActor => ({ kind: "agent", id: shop.agent.id, for: shop.admin.personId });
  test("an agent by a key of its own, for one of the key's persons, with them all excluded", async () => {
    expect(await copied({ actor: agent() })).toBe("committed");
    expect(await copied({ actor: agent(), row: { excludes: [] } })).toBe("CS010");
    expect(await copied({ actor: agent(), row: { excludes: [shop.tom.personId] } })).toBe("CS010");
    expect(await copied({ actor: agent(), row: { key_id: null } })).toBe("CS010");
    expect(await copied({ actor: agent(), row: { key_id: "key-AAAAAAAAAA" } })).toBe("CS010");
    expect(await copied({ actor: { ...agent(), for: shop.maya.personId } as EntryActor })).toBe("CS010");
    expect(await copied({ actor: by(shop.maya) })).toBe("CS010");
  });
  test("not by the key of another agent", async () => {
    const other: Step = { text: "INSERT INTO agent VALUES ($1, 'agt-BBBBBBBBBB', 'other', now())", values: [shop.id] };
    expect(await copied({ actor: { kind: "agent", id: "agt-BBBBBBBBBB", for: shop.admin.personId }, row: { agent_id: "agt-BBBBBBBBBB" }, before: [other] })).toBe("CS010");
  });
  test("a key is of its owner and its maker from the start", async () => {
    const key = { text: "INSERT INTO agent_key VALUES ($1, 'key-BBBBBBBBBB', $2, $3, $3, '{}', $4, '{}', now(), now() + interval '1 day')", values: [shop.id, shop.agent.id, shop.admin.personId, "a".repeat(64)] };
    expect(await attack(key)).toBe("CS010");
  });
  test("a person in their own name", async () => {
    const row = { agent_id: null, key_id: null, session_id: null, staged_by: shop.maya.personId, excludes: [shop.maya.personId] };
    expect(await copied({ actor: by(shop.maya), row })).toBe("committed");
    expect(await copied({ actor: by(shop.tom), row })).toBe("CS010");
    expect(await copied({ actor: agent(), row })).toBe("CS010");
    expect(await copied({ actor: by(shop.maya), row: { ...row, excludes: [shop.tom.personId] } })).toBe("CS010");
  });
});

describe("a trim only lowers", () => {
  type Item = { target: string; field: string; before: string; after: string; quantity?: number };
  /** Maya lowers: the two items of 2000 as given, for 100 less in the row. */
  const trim = (edit: (items: Item[]) => Item[], { actor, trimmer = shop.maya, withdrawer = shop.maya }: { actor?: EntryActor; trimmer?: typeof shop.maya; withdrawer?: typeof shop.maya } = {}) => copied({
    before: move("withdrawn", "change.withdrawn", 2, by(withdrawer)),
    actor: actor ?? { kind: "agent", id: shop.agent.id, for: shop.admin.personId },
    row: { supersedes: id, trimmed_by: trimmer.personId, amount_minor: 3900 },
    content: (text) => { const all = JSON.parse(text) as { items: Item[] }; return canonicalJson({ ...all, items: edit(all.items) } as never); },
  });
  const first = (over: Partial<Item>) => ([item, ...rest]: Item[]) => [{ ...item!, ...over }, ...rest];

  test("less, fewer, or an item left out: committed", async () => {
    expect(await trim(first({ after: "1900" }))).toBe("committed");
    expect(await trim(first({ after: "1000", quantity: 1 }))).toBe("committed");
    expect(await trim(([item]) => [item!])).toBe("committed");
  });
  test.each([
    ["one more and the other less", ([one, two]: Item[]) => [{ ...one!, after: "2100" }, { ...two!, after: "100" }]],
    ["more units", first({ after: "1900", quantity: 3 })], ["no units", first({ after: "1900", quantity: undefined })],
    ["another target", first({ target: "lin-AAAAAAAAAA", after: "1900" })], ["another field", first({ field: "shipping", after: "1900" })],
    ["the same", (items: Item[]) => items], ["nothing", () => []],
    ["one item twice", ([one]: Item[]) => [{ ...one!, after: "1900" }, { ...one!, after: "1900" }]],
    ["less than nothing", first({ after: "-1" })],
  ])("refused: %s", async (_, edit) => expect(await trim(edit)).toBe("CS004"));
  test("in another's name than its stager's, or by another than who withdrew", async () => {
    const lower = first({ after: "1900" });
    expect(await trim(lower, { actor: by(shop.maya) })).toBe("CS010");
    expect(await trim(lower, { actor: { kind: "agent", id: shop.agent.id, for: shop.tom.personId } })).toBe("CS010");
    expect(await trim(lower, { withdrawer: shop.tom })).toBe("CS010");
  });
});
