import { prisma } from "../database/client";
import type { Reader } from "../database/transactions";

export type PersonByEmail = { id: string; passwordHash: string | null; merchantIds: string[] };

/** The person with this e-mail, in whichever merchants, and the merchants where their place is open. */
export async function personByEmail(email: string, db: Reader = prisma()): Promise<PersonByEmail | null> {
  const [person] = await db.$queryRaw<PersonByEmail[]>`
    SELECT id, password_hash AS "passwordHash", merchant_ids AS "merchantIds" FROM person_by_email(${email.trim().toLowerCase()})`;
  return person ?? null;
}
