import type { Ctx, Role } from "../kernel/context";
import { digestedText } from "../kernel/digest";
import { newId } from "../kernel/ids";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import type { Db } from "../database/transactions";
import { commit } from "../ledger/commit";
import { endKey } from "./agents";
import { hashPassword } from "./passwords";
import { personByEmail, type PersonByEmail } from "./persons";

const ELSEWHERE = "This e-mail signs in at another merchant already. Only who runs this installation can add it here.";

export type NewMember = { email: string; name: string; role: Role; password?: string };
/** `elsewhere`: the person has a place at another merchant too. */
export type AddedMember = { personId: string; memberId: string; name: string; elsewhere: boolean };

/**
 * Gives a person a place in this merchant; the person is made where the e-mail is new, else keeps their name. Who left may come back.
 * A person has one password: so only whoever runs the installation gives a place to someone who has one elsewhere, never another
 * merchant's admin, who could have taken that e-mail first and would then hold their password.
 */
export async function addMember(ctx: Ctx, input: NewMember): Promise<AddedMember> {
  const permit = authorise(ctx, "merchant:govern");
  const email = input.email.trim().toLowerCase();
  const passwordHash = input.password ? await hashPassword(input.password) : null;

  return commit(permit, { verb: "add_member", subject: ctx.merchantId }, async ({ db, append }) => {
    const known = await knownPerson(db, email, input.name, passwordHash);
    const elsewhere = known.merchantIds.some((id) => id !== ctx.merchantId);
    if (ctx.actor.kind === "person" && elsewhere) throw new Refusal("invalid_input", { detail: ELSEWHERE, fields: { email: [ELSEWHERE] } });
    const personId = known.id;
    const memberId = await takePlace(db, ctx.merchantId, personId, input.role);
    const { name } = await db.person.findUniqueOrThrow({ where: { id: personId }, select: { name: true } });
    const profile = digestedText({ name, email });
    await db.digestedText.create({ data: { merchantId: ctx.merchantId, digest: profile.digest, subject: memberId, text: profile.text } });
    const entry = await append({ type: "member.added", subject: memberId, data: { person: personId, role: input.role, profileDigest: profile.digest } });
    return { result: { personId, memberId, name, elsewhere }, entries: [entry], effects: [] };
  });
}

/** The person with this e-mail, made where it is new. Two merchants may ask at once: the second waits for the first, and finds theirs. */
async function knownPerson(db: Db, email: string, name: string, passwordHash: string | null): Promise<PersonByEmail> {
  await db.$queryRaw`SELECT FROM person_make(${newId("per")}, ${email}, ${name}, ${passwordHash})`;
  return (await personByEmail(email, db))!;
}

async function takePlace(db: Db, merchantId: string, personId: string, role: Role): Promise<string> {
  const at = { merchantId_personId: { merchantId, personId } };
  const before = await db.member.findUnique({ where: at });
  if (before && !before.removedAt) throw new Refusal("invalid_input", { detail: "This person is a member already", fields: { email: ["is a member already"] } });
  if (before) await db.member.update({ where: at, data: { role, removedAt: null } });
  else await db.member.create({ data: { merchantId, personId, id: newId("mem"), role } });
  return (before ?? (await db.member.findUniqueOrThrow({ where: at }))).id;
}

/** Gives a member another role. The merchant keeps at least one admin. */
export async function changeRole(ctx: Ctx, input: { memberId: string; role: Role }): Promise<void> {
  const permit = authorise(ctx, "merchant:govern");
  await commit(permit, { verb: "change_role", subject: ctx.merchantId }, async ({ db, append }) => {
    const member = await openMember(db, ctx.merchantId, input.memberId);
    if (member.role === "admin" && input.role !== "admin") await requireAnotherAdmin(db, ctx.merchantId, member.personId);
    await db.member.update({ where: { merchantId_personId: { merchantId: ctx.merchantId, personId: member.personId } }, data: { role: input.role } });
    const entry = await append({ type: "member.changed", subject: member.id, data: { person: member.personId, role: input.role } });
    return { result: undefined, entries: [entry], effects: [] };
  });
}

/** Takes a member's place away and ends their sign-ins here and the keys they own. The merchant keeps at least one admin. */
export async function removeMember(ctx: Ctx, input: { memberId: string }): Promise<void> {
  const permit = authorise(ctx, "merchant:govern");
  await commit(permit, { verb: "remove_member", subject: ctx.merchantId }, async ({ db, now, append }) => {
    const { merchantId } = ctx;
    const member = await openMember(db, merchantId, input.memberId);
    if (member.role === "admin") await requireAnotherAdmin(db, merchantId, member.personId);
    await db.member.update({ where: { merchantId_personId: { merchantId, personId: member.personId } }, data: { removedAt: now } });
    await db.signIn.updateMany({ where: { merchantId, personId: member.personId, endedAt: null }, data: { endedAt: now } });
    // The keys first: whoever takes their own place away still governs then.
    for (const key of await db.agentKey.findMany({ where: { merchantId, ownerId: member.personId, revokedAt: null } })) await endKey({ db, now, append }, ctx, key);
    const entry = await append({ type: "member.removed", subject: member.id, data: { person: member.personId, role: member.role } });
    return { result: undefined, entries: [entry], effects: [] };
  });
}

async function openMember(db: Db, merchantId: string, memberId: string): Promise<{ id: string; personId: string; role: string }> {
  const member = await db.member.findFirst({ where: { merchantId, id: memberId, removedAt: null } });
  if (!member) throw new Refusal("not_found");
  return member;
}

async function requireAnotherAdmin(db: Db, merchantId: string, personId: string): Promise<void> {
  const others = await db.member.count({ where: { merchantId, role: "admin", removedAt: null, personId: { not: personId } } });
  if (others === 0) throw new Refusal("last_admin");
}
