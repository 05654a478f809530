import { beforeAll, expect, test } from "vitest";
import type { Ctx, PersonActor } from "../kernel/context";
import { addMember, removeMember } from "../identity/members";
import { testDatabase } from "../testing/database";
import { makeMerchant, type TestMerchant } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { confirmPolicy, declinePolicy } from "./confirm";
import { readPolicyView } from "./policy-view";
import { publishPolicy } from "./publish";
import { DEFAULT_RULES } from "./schema";

beforeAll(async () => { await testDatabase(); });

async function join(shop: TestMerchant): Promise<{ ctx: () => Promise<Ctx<PersonActor>>; memberId: string }> {
  const { personId } = await addMember(shop.setup, { email: `olu@${shop.id.toLowerCase()}.example`, name: "Olu Bankole", role: "admin" });
  const signInId = `sign-in-${shop.id}`;
  await everyMerchant().signIn.create({ data: { merchantId: shop.id, id: signInId, personId, createdAt: shop.setup.now, expiresAt: new Date("2099-01-01T00:00:00.000Z") } });
  const { id: memberId } = await everyMerchant().member.findFirstOrThrow({ where: { merchantId: shop.id, personId } });
  return { memberId, ctx: async () => ({ ...(await shop.admin.ctx()), actor: { kind: "person", id: personId, role: "admin", signInId } }) };
}

test("who proposed and who put it in force, as the log tells it; a proposal that ended is forgotten", async () => {
  const shop = await makeMerchant();
  await publishPolicy(await shop.admin.ctx(), { ...DEFAULT_RULES, undo_seconds: 1 }, 1);
  const olu = await join(shop);
  const open = async () => (await readPolicyView(await olu.ctx())).proposal!;
  await publishPolicy(await olu.ctx(), { ...DEFAULT_RULES, undo_seconds: 9 }, 2);
  await declinePolicy(await shop.admin.ctx(), await open());
  await publishPolicy(await shop.admin.ctx(), { ...DEFAULT_RULES, undo_seconds: 2 }, 2);
  expect(await open()).toMatchObject({ by: "Ines Carvalho", mine: false, base: 2, rules: { undo_seconds: 2 } });
  await confirmPolicy(await olu.ctx(), { digest: (await open()).digest });

  const view = await readPolicyView(await shop.maya.ctx());
  expect(view.versions.map(({ version, by, proposedBy, rules }) => [version, by, proposedBy, rules.undo_seconds])).toEqual([
    [3, "Olu Bankole", "Ines Carvalho", 2], [2, "Ines Carvalho", null, 1], [1, "setup", null, 8],
  ]);
  expect(view).toMatchObject({ inForce: { version: 3 }, proposal: null, mayGovern: false, olderThan: null });
});

test("a page of versions leads to the next, and what is in force is told on each", async () => {
  const shop = await makeMerchant();
  for (let version = 1; version < 22; version++) await publishPolicy(await shop.admin.ctx(), { ...DEFAULT_RULES, undo_seconds: version }, version);
  const ctx = await shop.auditor.ctx();
  const first = await readPolicyView(ctx);
  expect([first.versions.length, first.versions[0]!.version, first.olderThan]).toEqual([20, 22, 3]);
  const second = await readPolicyView(ctx, { before: first.olderThan! });
  expect(second).toMatchObject({ inForce: { version: 22 }, versions: [{ version: 2 }, { version: 1 }], olderThan: null });
});

test("a viewer is told that another must confirm exactly where it is so", async () => {
  const shop = await makeMerchant();
  const seen = async () => { const { needsAnother, others } = await readPolicyView(await shop.admin.ctx()); return { needsAnother, others }; };
  expect(await seen()).toEqual({ needsAnother: false, others: [] });
  const olu = await join(shop);
  expect(await seen()).toEqual({ needsAnother: true, others: ["Olu Bankole"] });
  await removeMember(await shop.admin.ctx(), { memberId: olu.memberId });
  expect(await seen()).toEqual({ needsAnother: true, others: [] }); // for a day
  expect(await publishPolicy(await shop.admin.ctx(), DEFAULT_RULES, 1)).toEqual({ version: null });
});
