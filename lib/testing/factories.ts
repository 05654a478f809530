import { randomBytes } from "node:crypto";
import type { AgentActor, Ctx, PersonActor, Role, Scope, SystemActor } from "../kernel/context";
import { newId } from "../kernel/ids";
import { databaseNow } from "../database/transactions";
import { createAgent, createKey } from "../identity/agents";
import { addMember } from "../identity/members";
import { openMerchant } from "../identity/merchants";
import { DEFAULT_RULES, type PolicyRules } from "../guardrails/schema";
import { approveChange } from "../changes/approve";
import type { Decided } from "../changes/decided";
import { readChange } from "../changes/queries";
import type { RefundInput } from "../changes/refund-input";
import type { ChangeShape } from "../changes/shape";
import { stageRefund } from "../changes/stage";
import { openSession } from "../sessions/open";
import { recordRead } from "../sessions/provenance";
import { everyMerchant } from "./owner";

export type TestPerson = { personId: string; actor: PersonActor; ctx: () => Promise<Ctx<PersonActor>> };
export type TestMerchant = {
  id: string; setup: Ctx<SystemActor>;
  /** Owns the agent's key. */
  admin: TestPerson; maya: TestPerson; tom: TestPerson; auditor: TestPerson;
  agent: { id: string; keyId: string; secret: string; ctx: () => Promise<Ctx<AgentActor>> };
};

/** A merchant with an admin, two operators, an auditor and an agent, all through the verbs, so that its log is whole. */
export async function makeMerchant(rules: Partial<PolicyRules> = {}, scopes: Scope[] = ["read", "stage:refund", "log:read"]): Promise<TestMerchant> {
  const slug = `m-${randomBytes(6).toString("hex")}`;
  const { id } = await openMerchant({ slug, name: "Test shop", timeZone: "Europe/London", rules: { ...DEFAULT_RULES, ...rules } });
  const setup: Ctx<SystemActor> = { merchantId: id, actor: { kind: "system", id: "setup" }, now: await databaseNow(), requestId: "test" };
  const person = (name: string, role: Role) => makePerson(setup, slug, name, role);
  const [admin, maya, tom, auditor] = [await person("Ines Carvalho", "admin"), await person("Maya Lindqvist", "operator"), await person("Tom Adeyemi", "operator"), await person("Helen Marsh", "auditor")];
  const { id: agentId } = await createAgent(setup, { name: "returns-desk" });
  const key = await createKey(setup, { agentId, ownerId: admin.personId, scopes, expiresAt: new Date("2099-01-01T00:00:00.000Z") });
  const actor: AgentActor = { kind: "agent", id: agentId, keyId: key.id, for: admin.personId, scopes };
  return { id, setup, admin, maya, tom, auditor, agent: { id: agentId, keyId: key.id, secret: key.secret, ctx: async () => ({ ...setup, actor, now: await databaseNow() }) } };
}

async function makePerson(setup: Ctx<SystemActor>, slug: string, name: string, role: Role): Promise<TestPerson> {
  const { merchantId } = setup;
  const { personId } = await addMember(setup, { email: `${name.split(" ")[0]!.toLowerCase()}@${slug}.example`, name, role });
  const signInId = randomBytes(12).toString("base64url");
  await everyMerchant().signIn.create({ data: { merchantId, id: signInId, personId, createdAt: setup.now, expiresAt: new Date("2099-01-01T00:00:00.000Z") } });
  const actor: PersonActor = { kind: "person", id: personId, role, signInId };
  return { personId, actor, ctx: async () => ({ ...setup, actor, now: await databaseNow() }) };
}

export type TestOrder = { id: string; number: string; paymentId: string; lineIds: string[] };
type OrderSpec = { lines?: { quantity: number; paidMinor: bigint; title?: string }[]; shippingMinor?: bigint; currency?: string; paidAt?: Date };

/** An order paid in full. */
export async function makeOrder(merchantId: string, { lines = [{ quantity: 1, paidMinor: 10_000n }], shippingMinor = 0n, currency = "GBP", paidAt }: OrderSpec = {}): Promise<TestOrder> {
  const at = paidAt ?? (await databaseNow());
  const [id, paymentId, number] = [newId("ord"), newId("pay"), randomBytes(4).toString("hex")];
  const lineIds = lines.map(() => newId("lin"));
  const captured = lines.reduce((sum, { paidMinor }) => sum + paidMinor, shippingMinor);
  await everyMerchant().$executeRaw`INSERT INTO shop_order (merchant_id, id, number, currency, placed_at, shipping_minor) VALUES (${merchantId}, ${id}, ${number}, ${currency}, ${at}, ${shippingMinor})`;
  for (const [position, line] of lines.entries()) {
    await everyMerchant().$executeRaw`
      INSERT INTO order_line (merchant_id, id, order_id, position, sku, title, quantity, paid_minor)
      VALUES (${merchantId}, ${lineIds[position]}, ${id}, ${position}, ${`SKU${position}`}, ${line.title ?? `Product ${position}`}, ${line.quantity}, ${line.paidMinor})`;
  }
  await everyMerchant().$executeRaw`INSERT INTO payment (merchant_id, id, order_id, currency, paid_at, captured_minor) VALUES (${merchantId}, ${paymentId}, ${id}, ${currency}, ${at}, ${captured})`;
  return { id, number, paymentId, lineIds };
}

type Ask = Partial<RefundInput> & { amountMinor?: bigint };

/** Stages a refund in a session of its own that has read the order: by `amountMinor` unless lines are given. Refusals are thrown. */
export async function stage(merchant: TestMerchant, order: TestOrder, { amountMinor, ...ask }: Ask = {}): Promise<ChangeShape> {
  const ctx = await merchant.agent.ctx();
  const { id: sessionId } = await openSession(ctx);
  await recordRead(ctx, sessionId, [order.id], true);
  const amount = ask.lines || ask.shipping ? {} : { amount: { amountMinor: String(amountMinor ?? 1000n), currency: "GBP" } };
  const key = randomBytes(9).toString("base64url");
  const { body } = await stageRefund(ctx, sessionId, { key, hash: key }, { kind: "refund", orderId: order.id, reason: "damaged", ...amount, ...ask });
  return JSON.parse(body) as ChangeShape;
}

export type SeenForm = { changeId: string; seenDigest: string; seenFactsDigest: string; seenFigures: string };

/** What a person's form carries after looking at a change. */
export async function look(person: TestPerson, changeId: string): Promise<SeenForm> {
  const { digest, factsDigest, figures } = await readChange(await person.ctx(), changeId);
  return { changeId, seenDigest: digest, seenFactsDigest: factsDigest, seenFigures: figures };
}

/** Looks and approves. */
export const approve = async (person: TestPerson, changeId: string): Promise<Decided> => approveChange(await person.ctx(), await look(person, changeId));

/** The merchant's log as parsed entries, in order. */
export async function readLog(merchantId: string): Promise<{ seq: number; type: string; subject: string; revision?: number; data: Record<string, unknown>; actor: { kind: string; id: string } }[]> {
  const rows = await everyMerchant().entry.findMany({ where: { merchantId }, orderBy: { seq: "asc" }, select: { entry: true } });
  return rows.map(({ entry }) => JSON.parse(entry) as never);
}

/** Lets the merchant's changes be written on a platform over HTTP, as the database's owner does (docs/platforms.md). */
export async function connectPlatform({ id }: { id: string }, account: { url: string; secret: string }): Promise<void> {
  await everyMerchant().platformAccount.create({ data: { merchantId: id, platform: "http", ...account } });
}
