import { z } from "zod";
import { ROLES, type Ctx } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { tenant } from "../database/client";
import { linkUrl, makeSignInLink } from "./links";
import { addMember } from "./members";

export const InviteInput = z.strictObject({
  email: z.email("An e-mail address, as in nia@shop.example").max(254),
  name: z.string().trim().min(1, "The name they sign with").max(100),
  role: z.enum(ROLES),
});
export const MemberInput = z.strictObject({ memberId: z.string() });
export const RoleInput = MemberInput.extend({ role: z.enum(ROLES) });

/** A one-time link in full, shown once and kept nowhere; null where the person signs in elsewhere too and has a way in. */
export type Invitation = { name: string; link: { url: string; expiresAt: string } | null };

/** Gives a person a place, and the link by which they take it. */
export async function inviteMember(ctx: Ctx, input: z.infer<typeof InviteInput>): Promise<Invitation> {
  const { name, elsewhere } = await addMember(ctx, input);
  return { name, link: elsewhere ? null : await linkFor(ctx, input.email) };
}

/** A new link for a member who lost the way in. */
export async function renewLink(ctx: Ctx, { memberId }: z.infer<typeof MemberInput>): Promise<Invitation> {
  authorise(ctx, "merchant:govern");
  const { merchantId } = ctx;
  const member = await tenant(merchantId).member.findFirst({ where: { merchantId, id: memberId, removedAt: null }, select: { person: { select: { email: true, name: true } } } });
  if (!member) throw new Refusal("not_found");
  return { name: member.person.name, link: await linkFor(ctx, member.person.email) };
}

async function linkFor(ctx: Ctx, email: string): Promise<NonNullable<Invitation["link"]>> {
  const { path, expiresAt } = await makeSignInLink(ctx, email);
  return { url: linkUrl(path), expiresAt: expiresAt.toISOString() };
}
