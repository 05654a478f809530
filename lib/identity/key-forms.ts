import { z } from "zod";
import { SCOPES, type Ctx } from "../kernel/context";
import { createKey, rotateKey } from "./agents";

const Days = z.coerce.number().int().min(1).max(365);
/** A form sends one choice as a string and several as an array. */
const Scopes = z.preprocess((sent) => (typeof sent === "string" ? [sent] : sent), z.array(z.enum(SCOPES), "Choose what it may do").min(1));

export const AgentInput = z.strictObject({ name: z.string().trim().min(1, "A name, as it is shown beside what it proposes").max(60) });
export const KeyInput = z.strictObject({ keyId: z.string() });
export const NewKeyInput = z.strictObject({ agentId: z.string(), ownerId: z.string(), scopes: Scopes, days: Days });
export const RotateInput = KeyInput.extend({ ownerId: z.string(), days: Days });

/** A secret is in the answer and nowhere else. */
export type Secret = { secret: string };

const inDays = ({ now }: Ctx, days: number): Date => new Date(now.getTime() + days * 86_400_000);

export async function createKeyForDays(ctx: Ctx, { days, ...key }: z.infer<typeof NewKeyInput>): Promise<Secret> {
  const { secret } = await createKey(ctx, { ...key, expiresAt: inDays(ctx, days) });
  return { secret };
}

export const rotateKeyForDays = (ctx: Ctx, { days, ...key }: z.infer<typeof RotateInput>): Promise<Secret> => rotateKey(ctx, { ...key, expiresAt: inDays(ctx, days) });
