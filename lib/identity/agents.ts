import { createHash, randomBytes } from "node:crypto";
import type { Ctx, Scope } from "../kernel/context";
import { digestedText } from "../kernel/digest";
import { newId } from "../kernel/ids";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { commit } from "../ledger/commit";

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

export type NewKey = { agentId: string; ownerId: string; scopes: Scope[]; expiresAt: Date };

/** Makes a key of an agent; the secret is in the answer and nowhere else. Its owner and its maker may not approve what it stages. */
export async function createKey(ctx: Ctx, input: NewKey): Promise<{ id: string; secret: string }> {
  const permit = authorise(ctx, "merchant:govern");
  return commit(permit, { verb: "create_key", subject: input.agentId, fallback: ctx.actor.id }, async ({ db, now, append }) => {
    const { merchantId } = ctx;
    const agent = await db.agent.findUnique({ where: { merchantId_id: { merchantId, id: input.agentId } } });
    const owner = await db.member.findUnique({ where: { merchantId_personId: { merchantId, personId: input.ownerId } } });
    if (!agent || !owner || owner.removedAt) throw new Refusal("not_found");
    const id = newId("key");
    const secret = `usk_${randomBytes(32).toString("base64url")}`;
    const by = ctx.actor.kind === "person" ? ctx.actor.id : input.ownerId;
    await db.agentKey.create({
      data: {
        merchantId, id, agentId: agent.id, ownerId: owner.personId, madeBy: by, secretHash: secretHash(secret), scopes: input.scopes,
        createdAt: now, expiresAt: input.expiresAt,
      },
    });
    const data = { agent: agent.id, owner: owner.personId, by, scopes: input.scopes, expiresAt: input.expiresAt.toISOString() };
    const entry = await append({ type: "key.created", subject: id, data });
    return { result: { id, secret }, entries: [entry], effects: [] };
  });
}
