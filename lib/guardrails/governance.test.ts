import { beforeAll, expect, test } from "vitest";
import type { Ctx, PersonActor } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { addMember, changeRole, removeMember } from "../identity/members";
import { fsckMerchant } from "../log/fsck";
import { setClock, testDatabase } from "../testing/database";
import { makeMerchant, makeOrder, readLog, stage, type TestMerchant } from "../testing/factories";
import { everyMerchant } from "../testing/owner";
import { confirmPolicy, declinePolicy } from "./confirm";
import { pauseMerchant, resumeMerchant } from "./pause";
import { publishPolicy } from "./publish";
import { DEFAULT_RULES, PolicyRules } from "./schema";

// What weighs most takes two admins, where there are two.

let owner: string;
beforeAll(async () => { owner = (await testDatabase()).ownerUrl; });

const code = (work: Promise<unknown>): Promise<string> => work.then(() => "ok", (error: unknown) => { if (error instanceof Refusal) return error.code; throw error; });
const STRICT: PolicyRules = { ...DEFAULT_RULES, max_refund_amount: { GBP: "100" } };
const types = async ({ id }: TestMerchant) => (await readLog(id)).map(({ type }) => type).filter((type) => /^(policy|merchant)\./.test(type));
const openDigest = async ({ id }: TestMerchant) => ({ digest: (await everyMerchant().policyProposal.findUniqueOrThrow({ where: { merchantId: id } })).digest });

let shops = 0;
/** A merchant with a second admin, who has signed in. */
async function withTwo(): Promise<{ shop: TestMerchant; ines: () => Promise<Ctx<PersonActor>>; second: () => Promise<Ctx<PersonActor>>; memberId: string }> {
  const shop = await makeMerchant();
  const { personId } = await addMember(shop.setup, { email: `olu-${shops++}-${shop.id.toLowerCase()}@example.com`, name: "Olu Bankole", role: "admin" });
  const signInId = `sign-in-${shop.id}`;
  await everyMerchant().signIn.create({ data: { merchantId: shop.id, id: signInId, personId, createdAt: shop.setup.now, expiresAt: new Date("2099-01-01T00:00:00.000Z") } });
  const { id: memberId } = await everyMerchant().member.findFirstOrThrow({ where: { merchantId: shop.id, personId } });
  const actor: PersonActor = { kind: "person", id: personId, role: "admin", signInId };
  return { shop, ines: shop.admin.ctx, second: async () => ({ ...(await shop.admin.ctx()), actor }), memberId };
}

test("one admin publishes at once; with a second it waits for the second, and nobody confirms their own", async () => {
  const alone = await makeMerchant();
  expect(await publishPolicy(await alone.admin.ctx(), STRICT, 1)).toEqual({ version: 2 });

  const { shop, ines, second } = await withTwo();
  expect(await publishPolicy(await ines(), STRICT, 1)).toEqual({ version: null });
  await stage(shop, await makeOrder(shop.id), { amountMinor: 5000n }); // version 1 is in force still
  const seen = await openDigest(shop);
  expect(await code(confirmPolicy(await ines(), seen))).toBe("needs_another_admin");
  expect(await code(confirmPolicy(await shop.tom.ctx(), seen))).toBe("forbidden");
  expect(await code(confirmPolicy(await second(), { digest: "0".repeat(64) }))).toBe("policy_moved");
  expect(await confirmPolicy(await second(), seen)).toEqual({ version: 2 });
  expect(await code(stage(shop, await makeOrder(shop.id), { amountMinor: 5000n }))).toBe("guardrail_violation");
  expect(await types(shop)).toEqual(["policy.published", "policy.proposed", "policy.published"]);
  expect((await readLog(shop.id)).findLast(({ type }) => type === "policy.published")).toMatchObject({ actor: { id: (await second()).actor.id }, data: { version: 2, rules: STRICT } });
  expect((await fsckMerchant(shop.id)).findings).toEqual([]);
});

test("two publish at once: one proposal waits, the other is told so; what was edited on an older version is told too", async () => {
  const { shop, ines, second } = await withTwo();
  const answers = await Promise.all([code(publishPolicy(await ines(), STRICT, 1)), code(publishPolicy(await second(), { ...STRICT, undo_seconds: 0 }, 1))]);
  expect(answers.toSorted()).toEqual(["ok", "proposal_open"]);
  await declinePolicy(await ines(), await openDigest(shop));
  expect(await types(shop)).toEqual(["policy.published", "policy.proposed", "policy.declined"]);

  const alone = await makeMerchant();
  const [a, b] = [await alone.admin.ctx(), await alone.admin.ctx()];
  expect((await Promise.all([code(publishPolicy(a, STRICT, 1)), code(publishPolicy(b, STRICT, 1))])).toSorted()).toEqual(["ok", "policy_moved"]);
});

test("whose only colleague has left confirms alone", async () => {
  const { shop, ines, memberId } = await withTwo();
  await publishPolicy(await ines(), STRICT, 1);
  await removeMember(shop.setup, { memberId });
  expect(await confirmPolicy(await ines(), await openDigest(shop))).toEqual({ version: 2 });
});

test.each([
  ["removed", (ctx: Ctx, memberId: string) => removeMember(ctx, { memberId })],
  ["demoted", (ctx: Ctx, memberId: string) => changeRole(ctx, { memberId, role: "operator" as const })],
])("an admin who %s the other does not act alone for a day: neither confirms, nor publishes at once, nor resumes", async (_, away) => {
  const { shop, ines, memberId } = await withTwo();
  const other = await withTwo();
  await publishPolicy(await ines(), STRICT, 1);
  await pauseMerchant(await ines(), { reason: "Stop." });
  await away(await ines(), memberId);
  await away(await other.ines(), other.memberId);
  const seen = await openDigest(shop);
  expect([await code(confirmPolicy(await ines(), seen)), await code(resumeMerchant(await ines()))]).toEqual(["needs_another_admin", "needs_another_admin"]);
  expect(await publishPolicy(await other.ines(), STRICT, 1)).toEqual({ version: null });
  await setClock(owner, new Date(Date.now() + 25 * 60 * 60 * 1000).toISOString());
  expect([await code(confirmPolicy(await ines(), seen)), await code(resumeMerchant(await ines()))]).toEqual(["ok", "ok"]);
  await setClock(owner, null);
});

test("a policy that would refuse everything is published as it is; one that is no policy is not", async () => {
  const shop = await makeMerchant();
  await publishPolicy(await shop.admin.ctx(), { ...DEFAULT_RULES, max_refund_amount: {} }, 1);
  expect(await code(stage(shop, await makeOrder(shop.id), { amountMinor: 1n }))).toBe("guardrail_violation");
  const caps = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`A${String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26))}`, "9999999999999999"]));
  expect(PolicyRules.safeParse({ ...DEFAULT_RULES, max_refund_amount: caps(201) }).success).toBe(false);
  const wide = { max_refund_amount: caps(200), max_operator_refund_amount: caps(200), agent_daily_refund_total: caps(200), operator_daily_approved_total: caps(200), refund_approvals: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((approvals) => ({ approvals, up_to: Object.fromEntries(Object.keys(caps(200)).map((each) => [each, String(10 ** 14 + approvals)])) })) };
  expect(await code(publishPolicy(await shop.admin.ctx(), { ...DEFAULT_RULES, ...wide }, 2))).toBe("invalid_input");
  const tiers = (...refund_approvals: PolicyRules["refund_approvals"]) => PolicyRules.safeParse({ ...DEFAULT_RULES, refund_approvals }).success;
  expect([
    tiers({ approvals: 1, up_to: { GBP: "100" } }, { approvals: 2, up_to: { GBP: "200", EUR: "9" } }, { approvals: 3 }),
    tiers({ approvals: 2, up_to: { GBP: "100" } }, { approvals: 2 }), tiers({ approvals: 1, up_to: { GBP: "100" } }, { approvals: 2, up_to: { GBP: "100" } }),
    tiers({ approvals: 1 }, { approvals: 2 }), tiers(),
  ]).toEqual([true, false, false, false, false]);
});

test("the kill switch: one admin with a reason, at once; another resumes, where there is another", async () => {
  const { shop, ines, second } = await withTwo();
  await pauseMerchant(await ines(), { reason: "Refunds of one customer, again and again." });
  expect(await code(stage(shop, await makeOrder(shop.id), { amountMinor: 1n }))).toBe("guardrail_violation");
  expect(await code(pauseMerchant(await second(), { reason: "Me too." }))).toBe("already_paused");
  expect(await code(resumeMerchant(await ines()))).toBe("needs_another_admin");
  expect(await code(resumeMerchant(await shop.tom.ctx()))).toBe("forbidden");
  expect(await code(resumeMerchant(await second()))).toBe("ok");
  expect(await code(resumeMerchant(await second()))).toBe("not_paused");
  expect(await code(stage(shop, await makeOrder(shop.id), { amountMinor: 1n }))).toBe("ok");
  const paused = (await readLog(shop.id)).find(({ type }) => type === "merchant.paused")!;
  const text = await everyMerchant().digestedText.findFirstOrThrow({ where: { merchantId: shop.id, digest: paused.data.reasonDigest as string } });
  expect(JSON.parse(text.text)).toMatchObject({ text: "Refunds of one customer, again and again." });

  const alone = await makeMerchant();
  await pauseMerchant(await alone.admin.ctx(), { reason: "Alone." });
  expect(await code(resumeMerchant(await alone.admin.ctx()))).toBe("ok");
  for (const { id } of [shop, alone]) expect((await fsckMerchant(id)).findings).toEqual([]);
});
