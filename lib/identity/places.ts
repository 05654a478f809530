import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { prisma, tenant } from "../database/client";
import { endSignIn, openSignIn, type SignInToken } from "./sign-ins";

export type Place = { id: string; name: string };

/** The merchants where a person has a place, by name. */
export const placesOf = (personId: string): Promise<Place[]> => prisma().$queryRaw<Place[]>`SELECT id, name FROM person_places(${personId})`;

export const SwitchInput = z.strictObject({ merchantId: z.string() });

/** Leaves this merchant for another where the same person has a place. The new sign-in ends when the old one would have. */
export async function switchMerchant(ctx: Ctx<PersonActor>, { merchantId }: z.infer<typeof SwitchInput>): Promise<SignInToken> {
  const { id: personId, signInId } = ctx.actor;
  const places = await placesOf(personId);
  if (!places.some(({ id }) => id === merchantId)) throw new Refusal("not_found");
  const here = { merchantId: ctx.merchantId, id: signInId };
  const { expiresAt } = await tenant(ctx.merchantId).signIn.findUniqueOrThrow({ where: { merchantId_id: here }, select: { expiresAt: true } });
  const token = await openSignIn(merchantId, personId, expiresAt);
  await endSignIn({ merchantId: ctx.merchantId, signInId });
  return token;
}
