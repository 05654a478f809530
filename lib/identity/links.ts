import { createHash, randomBytes } from "node:crypto";
import type { Ctx, PersonActor } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { prisma } from "../database/client";
import { commit } from "../ledger/commit";
import { hashPassword } from "./passwords";
import { personByEmail } from "./persons";
import { openSignIn, type SignInToken } from "./sign-ins";

const THREE_DAYS = 3 * 24 * 60 * 60 * 1000;
const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

/**
 * A one-time link by which a member sets a password: an invitation, or a way back in. Only for a person whose places are all in this
 * merchant: nobody else's admin may open their door. It ends the person's older links. Gives the path with its token, which is kept nowhere.
 */
export async function makeSignInLink(ctx: Ctx, email: string): Promise<{ path: string; expiresAt: Date }> {
  const permit = authorise(ctx, "merchant:govern");
  const { merchantId } = ctx;
  return commit(permit, { verb: "make_link", subject: merchantId }, async ({ db, clock, append }) => {
    const person = await personByEmail(email, db);
    const member = person && (await db.member.findFirst({ where: { merchantId, personId: person.id, removedAt: null }, select: { id: true } }));
    if (!member) throw new Refusal("not_found");
    if (person.merchantIds.length > 1) throw new Refusal("forbidden", { detail: "This person signs in elsewhere too, and keeps their own password" });
    const token = randomBytes(32).toString("base64url");
    const link = tokenHash(token);
    const expiresAt = new Date(clock.getTime() + THREE_DAYS);
    const entry = await append({ type: "member.link_made", subject: member.id, data: { expiresAt: expiresAt.toISOString(), link, person: person.id } });
    await db.signInLink.create({ data: { merchantId, tokenHash: link, personId: person.id, createdAt: clock, expiresAt } });
    return { result: { path: `/welcome/${token}`, expiresAt }, entries: [entry], effects: [] };
  });
}

/** The whole address of a link: built from the configured one, never from what a caller sent. */
export const linkUrl = (path: string): string => new URL(path, process.env.UNDERSIGNED_URL).href;

const ended = () => new Refusal("not_found", { detail: "This link was used already, or is too old" });

export type OpenLink = { personId: string; name: string; email: string; merchant: string };

/** Whose link this is, while it may still be used; null otherwise. */
export async function readSignInLink(token: string): Promise<OpenLink | null> {
  const [link] = await prisma().$queryRaw<OpenLink[]>`SELECT person_id AS "personId", name, email, merchant FROM sign_in_link_open(${tokenHash(token)})`;
  return link ?? null;
}

/**
 * Uses a link, once, for the member it names: sets the password, ends the person's other sign-ins and opens one. `by` is who is
 * signed in where it is used: someone else is refused `forbidden`, in the log too. `not_found` where it was used or is too old.
 */
export async function useSignInLink(token: string, password: string, by: Ctx<PersonActor> | null): Promise<SignInToken> {
  const link = await readSignInLink(token);
  if (!link) throw ended(); // a guess costs nothing but this look
  if (by && by.actor.id !== link.personId) await refuseOthers(by, link);
  const passwordHash = await hashPassword(password);
  const [used] = await prisma().$queryRaw<{ personId: string; merchantId: string }[]>`
    SELECT person_id AS "personId", merchant_id AS "merchantId" FROM sign_in_link_use(${tokenHash(token)}, ${passwordHash})`;
  if (!used) throw ended();
  return openSignIn(used.merchantId, used.personId);
}

async function refuseOthers(by: Ctx<PersonActor>, { name }: OpenLink): Promise<never> {
  return commit<never>(authorise(by, "members:read"), { verb: "use_link", subject: by.actor.id }, async () => {
    throw new Refusal("forbidden", { detail: `This link is for ${name}, and you are signed in as someone else` });
  });
}
