import { randomBytes } from "node:crypto";
import type { Role } from "../kernel/context";
import { sha256Hex } from "../kernel/digest";
import { Refusal } from "../kernel/refusal";
import { prisma, tenant } from "../database/client";
import { personByEmail } from "./persons";
import { databaseNow } from "../database/transactions";
import { passwordFits } from "./passwords";

/** What the cookie carries: names of rows, nothing that is believed without reading them. */
export type SignInToken = { merchantId: string; signInId: string; personId: string };

export type SignedIn = {
  now: Date; signInId: string; role: Role;
  person: { id: string; name: string; email: string };
  merchant: { id: string; slug: string; name: string };
};

const TWELVE_HOURS = 12 * 60 * 60 * 1000;

/** Tries a minute at one door, over all processes: by address, by e-mail from one address, and by e-mail from anywhere, so high that nobody is locked out by another machine. */
const TRIES_A_MINUTE = { address: Number(process.env.UNDERSIGNED_SIGN_INS_PER_MINUTE ?? 60), emailFromOneAddress: 10, email: 100 };

/** Opens a sign-in for the right password, or null. An unknown e-mail costs the same time. Refuses `too_many_tries`. */
export async function signInWithPassword(email: string, password: string, address: string): Promise<SignInToken | null> {
  await countTry(email, address);
  const person = await personByEmail(email);
  const fits = await passwordFits(person?.passwordHash ?? null, password);
  const merchantId = person?.merchantIds[0];
  return fits && person && merchantId ? openSignIn(merchantId, person.id) : null;
}

async function countTry(email: string, address: string): Promise<void> {
  for (const [door, most] of [[`address ${address}`, TRIES_A_MINUTE.address], [`email ${email.trim().toLowerCase()} ${address}`, TRIES_A_MINUTE.emailFromOneAddress], [`email ${email.trim().toLowerCase()}`, TRIES_A_MINUTE.email]] as const) {
    const [row] = await prisma().$queryRaw<{ tries: number }[]>`SELECT sign_in_try(${[sha256Hex(door)]}::text[]) AS tries`;
    if (row!.tries > most) throw new Refusal("too_many_tries", { retryAfter: 60 });
  }
}

/** Opens a sign-in for an identity that the provider vouches for: known by issuer and subject, or linked now, once, by its verified e-mail. */
export async function signInWithIdentity(identity: { issuer: string; subject: string; verifiedEmail: string | null }): Promise<SignInToken | null> {
  const [who] = await prisma().$queryRaw<{ personId: string; merchantId: string }[]>`
    SELECT person_id AS "personId", merchant_id AS "merchantId" FROM identity_enter(${identity.issuer}, ${identity.subject}, ${identity.verifiedEmail})`;
  return who ? openSignIn(who.merchantId, who.personId) : null;
}

export async function openSignIn(merchantId: string, personId: string, until?: Date): Promise<SignInToken> {
  const now = await databaseNow();
  const signInId = randomBytes(24).toString("base64url");
  await tenant(merchantId).signIn.create({ data: { merchantId, id: signInId, personId, createdAt: now, expiresAt: until ?? new Date(now.getTime() + TWELVE_HOURS) } });
  return { merchantId, signInId, personId };
}

/** The person behind a token, with today's role, or null where the sign-in has ended or the membership has. */
export async function readSignIn({ merchantId, signInId, personId }: SignInToken): Promise<SignedIn | null> {
  const [row] = await tenant(merchantId).$queryRaw<{ now: Date; role: Role; name: string; email: string; slug: string; merchant: string }[]>`
    SELECT ledger_clock() AS now, m.role, p.name, p.email, s.slug, s.name AS merchant
      FROM sign_in i JOIN member m ON m.merchant_id = i.merchant_id AND m.person_id = i.person_id
      JOIN person p ON p.id = i.person_id JOIN merchant s ON s.id = i.merchant_id
     WHERE i.merchant_id = ${merchantId} AND i.id = ${signInId} AND i.person_id = ${personId}
       AND i.ended_at IS NULL AND i.expires_at > ledger_clock() AND m.removed_at IS NULL`;
  if (!row) return null;
  return { now: row.now, signInId, role: row.role, person: { id: personId, name: row.name, email: row.email }, merchant: { id: merchantId, slug: row.slug, name: row.merchant } };
}

export async function endSignIn({ merchantId, signInId }: Omit<SignInToken, "personId">): Promise<void> {
  await tenant(merchantId).signIn.updateMany({ where: { merchantId, id: signInId, endedAt: null }, data: { endedAt: await databaseNow() } });
}
