import { hash, verify } from "@node-rs/argon2";

// OWASP's second choice for Argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

let decoy: Promise<string> | undefined;

/** Whether the password fits. Without a hash (no such person, no password) it costs the same time and is false. */
export async function passwordFits(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword("nobody's password");
  const fits = await verify(passwordHash ?? (await decoy), password);
  return passwordHash !== null && fits;
}
