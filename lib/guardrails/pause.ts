import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { digestedText } from "../kernel/digest";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { tenant } from "../database/client";
import { hasAnotherAdmin } from "../identity/admins";
import { commit } from "../ledger/commit";

export const PauseInput = z.strictObject({ reason: z.string().trim().min(1, "Say why, in a few words").max(2000) });
export type PauseInput = z.infer<typeof PauseInput>;

/** The kill switch: one admin, at once. While it is thrown nothing is staged, and nothing, approved or scheduled, is applied. */
export async function pauseMerchant(ctx: Ctx<PersonActor>, { reason }: PauseInput): Promise<void> {
  const permit = authorise(ctx, "merchant:govern");
  const { merchantId } = ctx;
  await commit(permit, { verb: "pause", subject: merchantId }, async ({ db, now, paused, append }) => {
    if (paused) throw new Refusal("already_paused");
    const text = digestedText({ text: reason });
    await db.digestedText.create({ data: { merchantId, digest: text.digest, subject: merchantId, text: text.text } });
    await db.pause.create({ data: { merchantId, pausedBy: ctx.actor.id, pausedAt: now, reasonDigest: text.digest } });
    const entry = await append({ type: "merchant.paused", subject: merchantId, data: { reasonDigest: text.digest } });
    return { result: undefined, entries: [entry], effects: [] };
  });
}

/** Another admin than the one who paused resumes, where there is another. */
export async function resumeMerchant(ctx: Ctx<PersonActor>): Promise<void> {
  const permit = authorise(ctx, "merchant:govern");
  const { merchantId, actor } = ctx;
  await commit(permit, { verb: "resume", subject: merchantId }, async ({ db, paused, append }) => {
    if (!paused) throw new Refusal("not_paused");
    const thrown = await db.pause.findUnique({ where: { merchantId } });
    if (thrown?.pausedBy === actor.id && (await hasAnotherAdmin(db, merchantId, actor))) throw new Refusal("needs_another_admin");
    await db.pause.deleteMany({ where: { merchantId } });
    const entry = await append({ type: "merchant.resumed", subject: merchantId, data: {} });
    return { result: undefined, entries: [entry], effects: [] };
  });
}

export type PauseView = { byId: string; by: string; at: string; reason: string | null; needsAnother: boolean };

/** Who threw the switch, when and why, or null while work goes on. `needsAnother`: this viewer threw it, and somebody else must resume. */
export async function readPause({ merchantId, actor }: Ctx<PersonActor>): Promise<PauseView | null> {
  const db = tenant(merchantId);
  const pause = await db.pause.findUnique({ where: { merchantId } });
  if (!pause) return null;
  const [person, text] = await Promise.all([
    db.person.findUniqueOrThrow({ where: { id: pause.pausedBy }, select: { name: true } }),
    db.digestedText.findUnique({ where: { merchantId_digest: { merchantId, digest: pause.reasonDigest } } }),
  ]);
  return {
    byId: pause.pausedBy, by: person.name, at: pause.pausedAt.toISOString(), reason: text && (JSON.parse(text.text) as { text: string }).text,
    needsAnother: pause.pausedBy === actor.id && (await hasAnotherAdmin(db, merchantId, actor)),
  };
}
