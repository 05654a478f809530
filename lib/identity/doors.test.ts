import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { connected } from "../../scripts/databases.mjs";
import { Refusal } from "../kernel/refusal";
import { fsckMerchant } from "../log/fsck";
import { setClock, testDatabase, type TestDatabase } from "../testing/database";
import { everyMerchant } from "../testing/owner";
import { makeMerchant, makeOrder, readLog, stage, type TestMerchant } from "../testing/factories";
import { createAgent, createKey, revokeKey, rotateKey } from "./agents";
import { inviteMember, renewLink } from "./invite";
import { enterWithKey } from "./keys";
import { makeSignInLink, readSignInLink, useSignInLink } from "./links";
import { addMember, changeRole, removeMember } from "./members";
import { placesOf, switchMerchant } from "./places";
import { lastLinkUse, readAgents, readMembers } from "./queries";
import { readSignIn, signInWithIdentity, signInWithPassword } from "./sign-ins";

let database: TestDatabase;
let merchant: TestMerchant;
let other: TestMerchant;
beforeAll(async () => {
  process.env.UNDERSIGNED_URL = "https://approvals.example";
  database = await testDatabase();
  [merchant, other] = [await makeMerchant(), await makeMerchant()];
});

const outcome = (work: Promise<unknown>): Promise<string> => work.then(() => "done", (error: unknown) => { if (error instanceof Refusal) return error.code; throw error; });
const email = () => `${randomUUID().slice(0, 8)}@shop.example`;
const lastEntry = async (merchantId = merchant.id) => (await readLog(merchantId)).at(-1)!;
const tokenOf = (path: string) => path.split("/").at(-1)!;
const memberOf = async (personId: string, merchantId = merchant.id) => (await everyMerchant().member.findFirstOrThrow({ where: { merchantId, personId } })).id;

describe("one-time links", () => {
  test("an invited member sets a password once, and signs in with it", async () => {
    const address = email();
    await addMember(await merchant.admin.ctx(), { email: address, name: "Nia Okafor", role: "operator" });
    expect(await signInWithPassword(address, "whatever is typed", "1.1.1.1")).toBeNull();
    const { path } = await makeSignInLink(await merchant.admin.ctx(), address);
    expect(await readSignInLink(tokenOf(path))).toMatchObject({ name: "Nia Okafor", email: address, merchant: "Test shop" });
    const signedIn = await readSignIn(await useSignInLink(tokenOf(path), "a long enough phrase", null));
    expect(signedIn).toMatchObject({ role: "operator", person: { email: address } });
    expect(await outcome(useSignInLink(tokenOf(path), "another phrase of it", null))).toBe("not_found");
    expect(await readSignInLink(tokenOf(path))).toBeNull();
    expect(await signInWithPassword(address, "a long enough phrase", "1.1.1.1")).not.toBeNull();
  });
  test("it ends: by a newer link, by time, by use, by the place taken away", async () => {
    const address = email();
    const { memberId } = await addMember(await merchant.admin.ctx(), { email: address, name: "Late", role: "operator" });
    const [one, two] = [await makeSignInLink(await merchant.admin.ctx(), address), await makeSignInLink(await merchant.admin.ctx(), address)];
    expect(await readSignInLink(tokenOf(one.path))).toBeNull();
    expect(await outcome(useSignInLink(tokenOf(one.path), "a long enough phrase", null))).toBe("not_found");
    await setClock(database.ownerUrl, new Date(Date.now() + 4 * 86_400_000).toISOString());
    expect(await readSignInLink(tokenOf(two.path))).toBeNull();
    await setClock(database.ownerUrl, null);
    await useSignInLink(tokenOf(two.path), "a long enough phrase", null);
    const three = await makeSignInLink(await merchant.admin.ctx(), address);
    await removeMember(await merchant.admin.ctx(), { memberId });
    expect(await outcome(useSignInLink(tokenOf(three.path), "a long enough phrase", null))).toBe("not_found");
  });
  test("the log says who made one for whom, and that it was used; the screen of members says it too", async () => {
    const shop = await makeMerchant();
    const { memberId, personId } = await addMember(await shop.admin.ctx(), { email: email(), name: "Nia Okafor", role: "auditor" });
    const linkOf = async () => (await readMembers(await shop.tom.ctx())).members.find(({ id }) => id === memberId)!.link;
    expect(await linkOf()).toBeNull();
    const { link } = await renewLink(await shop.admin.ctx(), { memberId });
    expect(await lastEntry(shop.id)).toMatchObject({ type: "member.link_made", actor: { kind: "person", id: shop.admin.personId }, subject: memberId, data: { person: personId } });
    expect(await linkOf()).toMatchObject({ by: "Ines Carvalho", usedAt: null });
    const made = (await lastEntry(shop.id)).data.link;
    await useSignInLink(tokenOf(link!.url), "a long enough phrase", null);
    expect(await lastEntry(shop.id)).toMatchObject({ type: "member.link_used", actor: { kind: "person", id: personId }, subject: memberId, data: { person: personId, link: made } });
    expect(await linkOf()).toMatchObject({ by: "Ines Carvalho", usedAt: expect.stringMatching(/Z$/) });
    expect(await lastLinkUse({ ...(await shop.tom.ctx()), actor: { ...shop.tom.actor, id: personId } })).toMatchObject({ by: "Ines Carvalho" });
    await renewLink(await shop.admin.ctx(), { memberId });
    expect(await linkOf()).toMatchObject({ usedAt: null }); // the newer one was not
    const { findings } = await fsckMerchant(shop.id);
    expect(findings).toEqual([]);
  });
  test("only the member it names takes it: the admin who made it, signed in, is refused, and the log says so", async () => {
    const shop = await makeMerchant();
    const { link } = await inviteMember(await shop.admin.ctx(), { email: email(), name: "Nia Okafor", role: "operator" });
    expect(await outcome(useSignInLink(tokenOf(link!.url), "a long enough phrase", await shop.admin.ctx()))).toBe("forbidden");
    expect(await lastEntry(shop.id)).toMatchObject({ type: "change.refused", actor: { id: shop.admin.personId }, subject: shop.admin.personId, data: { code: "forbidden", verb: "use_link" } });
    expect(await readSignInLink(tokenOf(link!.url))).not.toBeNull();
    const { personId } = await useSignInLink(tokenOf(link!.url), "a long enough phrase", null);
    const again = await renewLink(await shop.admin.ctx(), { memberId: await memberOf(personId, shop.id) });
    const nia = { ...(await shop.tom.ctx()), actor: { ...shop.tom.actor, id: personId } };
    expect(await outcome(useSignInLink(tokenOf(again.link!.url), "a long enough phrase", nia))).toBe("done");
  });
  test("used by two at once, it opens once", async () => {
    const { link } = await inviteMember(await merchant.admin.ctx(), { email: email(), name: "Twice", role: "operator" });
    const outcomes = await Promise.all([1, 2, 3].map((n) => outcome(useSignInLink(tokenOf(link!.url), `a long enough phrase ${n}`, null))));
    expect(outcomes.toSorted()).toEqual(["done", "not_found", "not_found"]);
  });
  test("the database makes none without its entry, and reopens none", async () => {
    const address = email();
    const { personId } = await addMember(merchant.setup, { email: address, name: "Raw", role: "operator" });
    const { path } = await makeSignInLink(merchant.setup, address);
    const asApp = (text: string, ...values: unknown[]) => connected(database.appUrl, async (client) => {
      await client.query("SELECT set_config('undersigned.merchant', $1, false)", [merchant.id]);
      return client.query(text, values).then(() => "done", ({ code }: { code: string }) => code);
    });
    const insert = "INSERT INTO sign_in_link (merchant_id, token_hash, person_id, created_at, expires_at) VALUES ($1, $2, $3, now(), now() + interval '1 day')";
    expect(await asApp(insert, merchant.id, "0".repeat(64), personId)).toBe("CS005");
    expect(await asApp("UPDATE sign_in_link SET used_at = NULL WHERE merchant_id = $1", merchant.id)).toBe("42501");
    expect(await asApp("INSERT INTO person VALUES ('per-aaaaaaaaaa', 'raw@shop.example', 'Raw', NULL, now())")).toBe("42501");
    expect(await readSignInLink(tokenOf(path))).not.toBeNull();
  });
  test("nobody's admin opens the door of a person who signs in elsewhere too", async () => {
    const address = email();
    for (const shop of [merchant, other]) await addMember(shop.setup, { email: address, name: "In two shops", role: "operator" });
    expect(await outcome(makeSignInLink(await other.admin.ctx(), address))).toBe("forbidden");
    expect(await outcome(makeSignInLink(await merchant.admin.ctx(), email()))).toBe("not_found");
    expect(await outcome(makeSignInLink(await merchant.tom.ctx(), address))).toBe("forbidden");
  });
});

describe("an invitation", () => {
  test("gives a place and the whole link, from the configured address", async () => {
    const invited = await inviteMember(await merchant.admin.ctx(), { email: email(), name: "Nia Okafor", role: "operator" });
    expect(invited).toMatchObject({ name: "Nia Okafor", link: { url: expect.stringMatching(/^https:\/\/approvals\.example\/welcome\/[\w-]{43}$/) } });
    expect((await readLog(merchant.id)).slice(-2).map(({ type }) => type)).toEqual(["member.added", "member.link_made"]);
    const { personId } = await useSignInLink(tokenOf(invited.link!.url), "a long enough phrase", null);
    const renewed = await renewLink(await merchant.admin.ctx(), { memberId: await memberOf(personId) });
    expect(renewed.link!.url).not.toBe(invited.link!.url);
    expect(await outcome(renewLink(await other.admin.ctx(), { memberId: await memberOf(personId) }))).toBe("not_found");
  });
  test("of one new e-mail, sent many times at once, makes one member; the others are told", async () => {
    const address = email();
    const outcomes = await Promise.all([1, 2, 3, 4].map(async (n) => outcome(inviteMember(await merchant.admin.ctx(), { email: address, name: `Nora ${n}`, role: "operator" }))));
    expect(outcomes.toSorted()).toEqual(["done", "invalid_input", "invalid_input", "invalid_input"]);
    expect(await everyMerchant().member.count({ where: { person: { email: address } } })).toBe(1);
  });
  test("of one new e-mail by two merchants at once: one of them has the person, the other is told", async () => {
    for (let round = 0; round < 4; round++) {
      const address = email();
      const outcomes = await Promise.all([merchant, other].map(async (shop) => outcome(inviteMember(await shop.admin.ctx(), { email: address, name: "Nora", role: "operator" }))));
      expect(outcomes.toSorted()).toEqual(["done", "invalid_input"]);
      expect(await everyMerchant().person.count({ where: { email: address } })).toBe(1);
    }
  });
  test("to an e-mail that another merchant has is refused, and harms nobody there: who took it first would hold the password", async () => {
    const address = email();
    const first = await inviteMember(await merchant.admin.ctx(), { email: address, name: "Nora", role: "operator" });
    expect(await outcome(inviteMember(await other.admin.ctx(), { email: address, name: "Somebody", role: "operator" }))).toBe("invalid_input");
    expect(await readSignInLink(tokenOf(first.link!.url))).toMatchObject({ name: "Nora" });
    expect(await everyMerchant().member.count({ where: { merchantId: other.id, person: { email: address } } })).toBe(0);
  });
  test("gives no link to who signs in elsewhere too, and ends the links they had", async () => {
    const address = email();
    const first = await inviteMember(await merchant.admin.ctx(), { email: address, name: "In two shops", role: "operator" });
    expect(await inviteMember(other.setup, { email: address, name: "Called otherwise", role: "auditor" })).toEqual({ name: "In two shops", link: null });
    expect(await readSignInLink(tokenOf(first.link!.url))).toBeNull();
    expect(await outcome(useSignInLink(tokenOf(first.link!.url), "a long enough phrase", null))).toBe("not_found");
  });
});

describe("a person of two merchants", () => {
  test("goes from one to the other: a sign-in there, none here, and no later end", async () => {
    const [here, there] = [await makeMerchant(), await makeMerchant()];
    const ctx = await here.tom.ctx();
    const { email: address } = await everyMerchant().person.findUniqueOrThrow({ where: { id: ctx.actor.id } });
    expect(await outcome(switchMerchant(ctx, { merchantId: there.id }))).toBe("not_found");
    await addMember(there.setup, { email: address, name: "Tom Adeyemi", role: "auditor" });
    expect((await placesOf(ctx.actor.id)).map(({ id }) => id).toSorted()).toEqual([here.id, there.id].toSorted());

    const token = await switchMerchant(ctx, { merchantId: there.id });
    expect(await readSignIn(token)).toMatchObject({ role: "auditor", merchant: { id: there.id }, person: { id: ctx.actor.id } });
    expect(await readSignIn({ merchantId: here.id, signInId: ctx.actor.signInId, personId: ctx.actor.id })).toBeNull();
    const ends = await everyMerchant().signIn.findMany({ where: { id: { in: [token.signInId, ctx.actor.signInId] } }, select: { expiresAt: true } });
    expect(new Set(ends.map(({ expiresAt }) => expiresAt.getTime())).size).toBe(1);
  });
});

describe("what the screens read", () => {
  test("members with role, since when, and what they own; agents with keys and whom they bar", async () => {
    const shop = await makeMerchant();
    const { members, mayGovern } = await readMembers(await shop.tom.ctx());
    expect(mayGovern).toBe(false);
    expect(members.map(({ name, role, keys, mine }) => [name, role, keys, mine])).toEqual([
      ["Ines Carvalho", "admin", 1, false], ["Maya Lindqvist", "operator", 0, false], ["Tom Adeyemi", "operator", 0, true], ["Helen Marsh", "auditor", 0, false],
    ]);
    const since = (await readLog(shop.id)).find(({ type, data }) => type === "member.added" && data.person === shop.tom.personId) as unknown as { at: string };
    expect(members.find(({ mine }) => mine)!.since).toBe(since.at);

    await rotateKey(await shop.admin.ctx(), { keyId: shop.agent.keyId, ownerId: shop.maya.personId, expiresAt: new Date("2099-01-01T00:00:00.000Z") });
    await revokeKey(await shop.admin.ctx(), { keyId: (await createKey(await shop.admin.ctx(), { agentId: shop.agent.id, ownerId: shop.tom.personId, scopes: ["read"], expiresAt: new Date("2099-01-01T00:00:00.000Z") })).id });
    const view = await readAgents(await shop.auditor.ctx());
    expect(view.agents).toMatchObject([{ name: "returns-desk", keys: [
      { id: shop.agent.keyId, owner: "Maya Lindqvist", madeBy: "Ines Carvalho", state: "working", persons: [shop.admin.personId, shop.maya.personId].toSorted() },
      { owner: "Tom Adeyemi", state: "revoked" },
    ] }]);
    expect(view.people.map(({ name, decides }) => [name, decides])).toEqual([["Helen Marsh", false], ["Ines Carvalho", true], ["Maya Lindqvist", true], ["Tom Adeyemi", true]]);
    expect(JSON.stringify(view)).not.toContain("secretHash");
    expect((await readAgents(await other.tom.ctx())).agents.map(({ id }) => id)).not.toContain(shop.agent.id);
  });
});

describe("an identity provider", () => {
  const issuer = "https://id.example";
  test("links an invited person once by verified e-mail, and then knows them by subject alone", async () => {
    const address = email();
    expect(await signInWithIdentity({ issuer, subject: "stranger", verifiedEmail: address })).toBeNull();
    const { personId } = await addMember(await merchant.admin.ctx(), { email: address, name: "Ola", role: "operator" });
    expect(await signInWithIdentity({ issuer, subject: "ola", verifiedEmail: null })).toBeNull();
    expect(await signInWithIdentity({ issuer, subject: "ola", verifiedEmail: address })).toMatchObject({ personId });
    expect(await signInWithIdentity({ issuer, subject: "ola", verifiedEmail: "now-another@shop.example" })).toMatchObject({ personId });
    expect(await signInWithIdentity({ issuer, subject: "impostor", verifiedEmail: address })).toBeNull();
    expect(await signInWithIdentity({ issuer: "https://other.example", subject: "ola", verifiedEmail: null })).toBeNull();
  });
  test("does not let in who has no place any more", async () => {
    const address = email();
    const { memberId } = await addMember(await merchant.admin.ctx(), { email: address, name: "Gone", role: "operator" });
    await signInWithIdentity({ issuer, subject: "gone", verifiedEmail: address });
    await removeMember(await merchant.admin.ctx(), { memberId });
    expect(await signInWithIdentity({ issuer, subject: "gone", verifiedEmail: address })).toBeNull();
  });
});

describe("members", () => {
  test("a role changes and a place ends at once, each with its entry", async () => {
    const shop = await makeMerchant();
    const tom = await shop.tom.ctx();
    const token = { merchantId: shop.id, signInId: tom.actor.signInId, personId: tom.actor.id };
    await changeRole(await shop.admin.ctx(), { memberId: await memberOf(tom.actor.id, shop.id), role: "auditor" });
    expect(await lastEntry(shop.id)).toMatchObject({ type: "member.changed", data: { person: tom.actor.id, role: "auditor" }, actor: { id: shop.admin.personId } });
    expect(await readSignIn(token)).toMatchObject({ role: "auditor" });
    await removeMember(await shop.admin.ctx(), { memberId: await memberOf(tom.actor.id, shop.id) });
    expect(await lastEntry(shop.id)).toMatchObject({ type: "member.removed", data: { person: tom.actor.id } });
    expect(await readSignIn(token)).toBeNull();
    const { email: address } = await everyMerchant().person.findUniqueOrThrow({ where: { id: tom.actor.id } });
    await addMember(await shop.admin.ctx(), { email: address, name: "Tom Adeyemi", role: "operator" });
    expect(await lastEntry(shop.id)).toMatchObject({ type: "member.added", data: { person: tom.actor.id, role: "operator" } });
  });
  test("the last admin stays; an operator governs nothing; another merchant's member is not there", async () => {
    const shop = await makeMerchant();
    const admin = await memberOf(shop.admin.personId, shop.id);
    expect(await outcome(removeMember(await shop.admin.ctx(), { memberId: admin }))).toBe("last_admin");
    expect(await outcome(removeMember(shop.setup, { memberId: "not an id" }))).toBe("not_found");
    expect((await fsckMerchant(shop.id)).findings).toEqual([]); // what was refused is written as the format has it
    expect(await outcome(changeRole(await shop.admin.ctx(), { memberId: admin, role: "operator" }))).toBe("last_admin");
    expect(await outcome(changeRole(await shop.tom.ctx(), { memberId: admin, role: "operator" }))).toBe("forbidden");
    expect(await outcome(changeRole(await merchant.admin.ctx(), { memberId: admin, role: "operator" }))).toBe("not_found");
  });
});

describe("keys", () => {
  const expiresAt = new Date("2099-01-01T00:00:00.000Z");
  test("are made, rotated and revoked, each with its entry; the old secret stops at once", async () => {
    const ctx = await merchant.admin.ctx();
    const agent = await createAgent(ctx, { name: "helper" });
    const made = await createKey(ctx, { agentId: agent.id, ownerId: merchant.tom.personId, scopes: ["read"], expiresAt });
    expect(await lastEntry()).toMatchObject({ type: "key.created", data: { owner: merchant.tom.personId, by: merchant.admin.personId } });
    const rotated = await rotateKey(ctx, { keyId: made.id, expiresAt });
    expect(await outcome(enterWithKey(made.secret, "r"))).toBe("unauthenticated");
    expect((await enterWithKey(rotated.secret, "r")).ctx.actor.keyId).toBe(made.id);
    await revokeKey(ctx, { keyId: made.id });
    expect(await lastEntry()).toMatchObject({ type: "key.revoked", subject: made.id });
    expect(await outcome(enterWithKey(rotated.secret, "r"))).toBe("unauthenticated");
  });
  test("end with their owner's place, each with its entry", async () => {
    const shop = await makeMerchant();
    const { secret } = await rotateKey(await shop.admin.ctx(), { keyId: shop.agent.keyId, ownerId: shop.maya.personId, expiresAt });
    await removeMember(await shop.admin.ctx(), { memberId: await memberOf(shop.maya.personId, shop.id) });
    expect((await readLog(shop.id)).slice(-2)).toMatchObject([{ type: "key.revoked", subject: shop.agent.keyId }, { type: "member.removed" }]);
    expect(await outcome(enterWithKey(secret, "r"))).toBe("unauthenticated");
  });
  test("end with an admin's own place while they still govern", async () => {
    const shop = await makeMerchant();
    await changeRole(await shop.admin.ctx(), { memberId: await memberOf(shop.maya.personId, shop.id), role: "admin" });
    await removeMember(await shop.admin.ctx(), { memberId: await memberOf(shop.admin.personId, shop.id) });
    expect((await readLog(shop.id)).slice(-2)).toMatchObject([{ type: "key.revoked", subject: shop.agent.keyId }, { type: "member.removed" }]);
    expect((await fsckMerchant(shop.id)).findings).toEqual([]);
  });
  test("given away, it still keeps its earlier owner and makers from approving", async () => {
    const shop = await makeMerchant();
    const { secret } = await rotateKey(await shop.admin.ctx(), { keyId: shop.agent.keyId, ownerId: shop.maya.personId, expiresAt });
    expect((await enterWithKey(secret, "r")).ctx.actor.for).toBe(shop.maya.personId);
    await stage(shop, await makeOrder(shop.id));
    expect((await lastEntry(shop.id)).data.excludes).toEqual([shop.admin.personId, shop.maya.personId].toSorted());
  });
});

test("guessing is limited by e-mail and by address, over all processes", async () => {
  const address = email();
  await setClock(database.ownerUrl, "2027-01-01T12:00:30.000Z"); // no minute ends among the tries
  for (let n = 0; n < 10; n++) expect(await signInWithPassword(address, "wrong", "10.0.0.1")).toBeNull();
  expect(await outcome(signInWithPassword(address, "wrong", "10.0.0.1"))).toBe("too_many_tries");
  expect(await signInWithPassword(address, "wrong", "10.0.0.2")).toBeNull(); // one machine locks nobody out elsewhere
  await setClock(database.ownerUrl, null);
});
