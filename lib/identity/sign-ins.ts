import { randomBytes } from "node:crypto";
import type { Role } from "../kernel/context";
import { tenant } from "../database/client";
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

/** Opens a sign-in for the right password, or null. An unknown e-mail costs the same time. */
export async function signInWithPassword(email: string, password: string): Promise<SignInToken | null> {
  const person = await personByEmail(email);
  const fits = await passwordFits(person?.passwordHash ?? null, password);
  const merchantId = person?.merchantIds[0];
  if (!fits || !person || !merchantId) return null;
  const now = await databaseNow();
  const signInId = randomBytes(24).toString("base64url");
  await tenant(merchantId).signIn.create({ data: { merchantId, id: signInId, personId: person.id, createdAt: now, expiresAt: new Date(now.getTime() + TWELVE_HOURS) } });
  return { merchantId, signInId, personId: person.id };
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
