import { createHash, randomBytes } from "node:crypto";
import type { Ctx } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { prisma, tenant } from "../database/client";
import { databaseNow } from "../database/transactions";
import { hashPassword } from "./passwords";
import { personByEmail } from "./persons";
import { openSignIn, type SignInToken } from "./sign-ins";

const THREE_DAYS = 3 * 24 * 60 * 60 * 1000;
const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

/**
 * A one-time link by which a member sets a password: an invitation, or a way back in. Only for a person whose places are all in this
 * merchant: nobody else's admin may open their door. Gives the path with its token, which is kept nowhere.
 */
export async function makeSignInLink(ctx: Ctx, email: string): Promise<{ path: string; expiresAt: Date }> {
  authorise(ctx, "merchant:govern");
  const person = await personByEmail(email);
  if (!person || !person.merchantIds.includes(ctx.merchantId)) throw new Refusal("not_found");
  if (person.merchantIds.length > 1) throw new Refusal("forbidden", { detail: "This person signs in elsewhere too, and keeps their own password" });
  const token = randomBytes(32).toString("base64url");
  const now = await databaseNow();
  const expiresAt = new Date(now.getTime() + THREE_DAYS);
  await tenant(ctx.merchantId).signInLink.create({ data: { merchantId: ctx.merchantId, tokenHash: tokenHash(token), personId: person.id, createdAt: now, expiresAt } });
  return { path: `/welcome/${token}`, expiresAt };
}

/** The whole address of a link: built from the configured one, never from what a caller sent. */
export const linkUrl = (path: string): string => new URL(path, process.env.UNDERSIGNED_URL).href;

const ended = () => new Refusal("not_found", { detail: "This link was used already, or is too old" });

export type OpenLink = { name: string; email: string; merchant: string };

/** Whose link this is, while it may still be used; null otherwise. */
export async function readSignInLink(token: string): Promise<OpenLink | null> {
  const [link] = await prisma().$queryRaw<OpenLink[]>`SELECT name, email, merchant FROM sign_in_link_open(${tokenHash(token)})`;
  return link ?? null;
}

/** Uses a link, once: sets the password, ends the person's other sign-ins and opens one. Refuses `not_found` where it was used or is too old. */
export async function useSignInLink(token: string, password: string): Promise<SignInToken> {
  if (!(await readSignInLink(token))) throw ended(); // a guess costs nothing but this look
  const passwordHash = await hashPassword(password);
  const [used] = await prisma().$queryRaw<{ personId: string; merchantId: string }[]>`
    SELECT person_id AS "personId", merchant_id AS "merchantId" FROM sign_in_link_use(${tokenHash(token)}, ${passwordHash})`;
  if (!used) throw ended();
  return openSignIn(used.merchantId, used.personId);
}
