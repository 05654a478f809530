import { createHash, randomBytes } from "node:crypto";
import type { Ctx, Scope } from "../kernel/context";
import { digestedText } from "../kernel/digest";
import { newId } from "../kernel/ids";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import type { Db } from "../database/transactions";
import { commit, type Ledger } from "../ledger/commit";
import type { Appended } from "../log/append";

export async function createAgent(ctx: Ctx, input: { name: string }): Promise<{ id: string; name: string }> {
  const permit = authorise(ctx, "merchant:govern");
  return commit(permit, { verb: "create_agent", subject: ctx.merchantId }, async ({ db, now, append }) => {
    const id = newId("agt");
    await db.agent.create({ data: { merchantId: ctx.merchantId, id, name: input.name, createdAt: now } });
    const name = digestedText({ name: input.name });
    await db.digestedText.create({ data: { merchantId: ctx.merchantId, digest: name.digest, subject: id, text: name.text } });
    const entry = await append({ type: "agent.created", subject: id, data: { nameDigest: name.digest } });
    return { result: { id, name: input.name }, entries: [entry], effects: [] };
  });
}

export const secretHash = (secret: string): string => createHash("sha256").update(secret).digest("hex");
const newSecret = (): string => `usk_${randomBytes(32).toString("base64url")}`;
/** Who makes or rotates: the person, or the owner where a script does it. */
const maker = (ctx: Ctx, ownerId: string): string => (ctx.actor.kind === "person" ? ctx.actor.id : ownerId);

type OpenKey = { id: string; agentId: string; ownerId: string; scopes: string[]; expiresAt: Date };
export type NewKey = { agentId: string; ownerId: string; scopes: Scope[]; expiresAt: Date };

/** Makes a key of an agent; the secret is in the answer and nowhere else. Its owner and its maker may not approve what it stages. */
export async function createKey(ctx: Ctx, input: NewKey): Promise<{ id: string; secret: string }> {
  const permit = authorise(ctx, "merchant:govern");
  return commit(permit, { verb: "create_key", subject: ctx.merchantId }, async ({ db, now, append }) => {
    const { merchantId } = ctx;
    const agent = await db.agent.findUnique({ where: { merchantId_id: { merchantId, id: input.agentId } } });
    if (!agent) throw new Refusal("not_found");
    await requireOwner(db, merchantId, input.ownerId);
    const id = newId("key");
    const secret = newSecret();
    const by = maker(ctx, input.ownerId);
    const persons = [...new Set([input.ownerId, by])].sort();
    const { scopes, expiresAt, ownerId } = input;
    await db.agentKey.create({ data: { merchantId, id, agentId: agent.id, ownerId, madeBy: by, persons, secretHash: secretHash(secret), scopes, createdAt: now, expiresAt } });
    const entry = await append({ type: "key.created", subject: id, data: { agent: agent.id, owner: ownerId, by, scopes, expiresAt: expiresAt.toISOString() } });
    return { result: { id, secret }, entries: [entry], effects: [] };
  });
}

/**
 * Gives a key a new secret, and where asked a new owner: the old secret stops at once. Everyone who owned, made or rotated it
 * before still may not approve what it stages.
 */
export async function rotateKey(ctx: Ctx, input: { keyId: string; ownerId?: string; expiresAt: Date }): Promise<{ secret: string }> {
  const permit = authorise(ctx, "merchant:govern");
  return commit(permit, { verb: "rotate_key", subject: ctx.merchantId }, async ({ db, append }) => {
    const { merchantId } = ctx;
    const key = await openKey(db, merchantId, input.keyId);
    const ownerId = input.ownerId ?? key.ownerId;
    await requireOwner(db, merchantId, ownerId);
    const secret = newSecret();
    const by = maker(ctx, ownerId);
    const persons = [...new Set([...key.persons, ownerId, by])].sort();
    await db.agentKey.update({ where: { merchantId_id: { merchantId, id: key.id } }, data: { ownerId, madeBy: by, persons, secretHash: secretHash(secret), expiresAt: input.expiresAt } });
    const data = { agent: key.agentId, owner: ownerId, by, scopes: key.scopes, expiresAt: input.expiresAt.toISOString() };
    const entry = await append({ type: "key.rotated", subject: key.id, data });
    return { result: { secret }, entries: [entry], effects: [] };
  });
}

/** Ends a key at once. */
export async function revokeKey(ctx: Ctx, input: { keyId: string }): Promise<void> {
  const permit = authorise(ctx, "merchant:govern");
  await commit(permit, { verb: "revoke_key", subject: ctx.merchantId }, async (ledger) => {
    const entry = await endKey(ledger, ctx, await openKey(ledger.db, ctx.merchantId, input.keyId));
    return { result: undefined, entries: [entry], effects: [] };
  });
}

/** Ends a key inside a commit, with its entry. */
export async function endKey({ db, now, append }: Pick<Ledger, "db" | "now" | "append">, ctx: Ctx, key: OpenKey): Promise<Appended> {
  await db.agentKey.update({ where: { merchantId_id: { merchantId: ctx.merchantId, id: key.id } }, data: { revokedAt: now } });
  const data = { agent: key.agentId, owner: key.ownerId, by: maker(ctx, key.ownerId), scopes: key.scopes, expiresAt: key.expiresAt.toISOString() };
  return append({ type: "key.revoked", subject: key.id, data });
}

async function openKey(db: Db, merchantId: string, id: string) {
  const key = await db.agentKey.findUnique({ where: { merchantId_id: { merchantId, id } } });
  if (!key || key.revokedAt) throw new Refusal("not_found");
  return key;
}

async function requireOwner(db: Db, merchantId: string, personId: string): Promise<void> {
  const owner = await db.member.findUnique({ where: { merchantId_personId: { merchantId, personId } } });
  if (!owner || owner.removedAt) throw new Refusal("not_found");
}
