import type { Ctx, Role } from "../kernel/context";
import { digestedText } from "../kernel/digest";
import { newId } from "../kernel/ids";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { commit } from "../ledger/commit";
import { hashPassword } from "./passwords";
import { personByEmail } from "./persons";

export type NewMember = { email: string; name: string; role: Role; password?: string };
export type AddedMember = { personId: string; memberId: string };

/** Gives a person a place in this merchant; the person is made where the e-mail is new. */
export async function addMember(ctx: Ctx, input: NewMember): Promise<AddedMember> {
  const permit = authorise(ctx, "merchant:govern");
  const email = input.email.trim().toLowerCase();
  const known = await personByEmail(email);
  const passwordHash = input.password ? await hashPassword(input.password) : null;

  return commit(permit, { verb: "add_member", subject: ctx.merchantId }, async ({ db, now, append }) => {
    const personId = known?.id ?? newId("per");
    if (!known) await db.$executeRaw`INSERT INTO person (id, email, name, password_hash, created_at) VALUES (${personId}, ${email}, ${input.name}, ${passwordHash}, ${now})`;
    const at = { merchantId: ctx.merchantId, personId };
    if (await db.member.findUnique({ where: { merchantId_personId: at } })) throw new Refusal("invalid_input", { detail: "This person is a member already" });
    const id = newId("mem");
    await db.member.create({ data: { ...at, id, role: input.role } });
    const profile = digestedText({ name: input.name, email });
    await db.digestedText.create({ data: { merchantId: ctx.merchantId, digest: profile.digest, subject: id, text: profile.text } });
    const entry = await append({ type: "member.added", subject: id, data: { person: personId, role: input.role, profileDigest: profile.digest } });
    return { result: { personId, memberId: id }, entries: [entry], effects: [] };
  });
}
