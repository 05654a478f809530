import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { instantOf, LOCAL_TIME_FAULTS, type LocalTime } from "../kernel/local-time";
import { Refusal } from "../kernel/refusal";
import type { Db } from "../database/transactions";
import { authoriseDecision } from "../ledger/authorise-decision";
import { commit, type Committed, type Ledger } from "../ledger/commit";
import { readPolicy } from "../guardrails/queries";
import type { Policy } from "../guardrails/schema";
import { entryBehind } from "./actor-at";
import { advance } from "./advance";
import { expiryBlocker } from "./approval-blocker";
import { Digest, replay, type Decided } from "./decided";
import { loadChange, type LoadedChange } from "./load";
import { readSchedule } from "./scheduled";

export const LocalTimeInput = { local: z.string().max(20).optional(), zone: z.string().max(64).optional() };

export const ScheduleInput = z.object({
  changeId: z.string().min(1).max(64), seenDigest: Digest,
  /** At a time of a person's clock; no time for now; or next, after the undo time. */
  when: z.enum(["at", "none", "next"]), ...LocalTimeInput,
});
export type ScheduleInput = z.infer<typeof ScheduleInput>;

/** Sets when an approved change is applied, or takes its time away. Whoever may not approve it may not time it. */
export async function scheduleChange(ctx: Ctx<PersonActor>, input: ScheduleInput): Promise<Decided> {
  const permit = await authoriseDecision(ctx, "change:decide", "schedule", input.changeId);
  return commit(permit, { verb: "schedule", subject: input.changeId, fallback: ctx.actor.id }, async (ledger) => {
    const change = await loadChange(ledger.db, ctx.merchantId, input.changeId);
    const blocker = scheduleBlocker(change, ctx.actor.id, ledger);
    if (blocker) throw blocker;
    if (change.digest !== input.seenDigest) throw new Refusal("change_moved");

    const policy = await readPolicy(ctx.merchantId, ledger.policyVersion, ledger.db);
    const time = input.when === "at" ? localTime(input) : null;
    const effectiveAt = time?.at ?? (input.when === "next" ? soonest(ledger, policy) : null);
    const earlier = await earlierTime(ledger.db, change, ctx.actor.id, input.when, effectiveAt);
    if (earlier) return earlier;
    return time ? setTime(ledger, change, ctx.actor.id, time, policy) : move(ledger, change, effectiveAt);
  });
}

/** The same person sending the same form again is told what the first one did; *next* a second time puts nothing off. */
async function earlierTime(db: Db, change: LoadedChange, personId: string, when: ScheduleInput["when"], effectiveAt: Date | null): Promise<Committed<Decided> | null> {
  const last = await entryBehind(db, change);
  if (last.type !== "change.scheduled" || last.actor.id !== personId) return null;
  const chosen = await readSchedule(db, change);
  const isSame = when === "next" ? change.effectiveAt !== null && !chosen : change.effectiveAt?.getTime() === effectiveAt?.getTime();
  return isSame ? replay(db, change, "schedule", change.revision) : null;
}

/** Why this person cannot set a time now, or null. */
export function scheduleBlocker(change: LoadedChange, personId: string, { now, clock }: Pick<Ledger, "now" | "clock">): Refusal | null {
  if (change.state === "staged") return new Refusal("not_approved");
  if (change.state !== "approved") return new Refusal(`change_already_${change.state}`);
  if (change.effectiveAt && change.effectiveAt <= clock) return new Refusal("too_late_to_schedule");
  return expiryBlocker(change, now) ?? (change.excludes.includes(personId) ? new Refusal("self_approval") : null);
}

/** The time as a person wrote it, and the instant it names. Refuses what names none, or two. */
export function localTime({ local, zone }: Partial<LocalTime>): LocalTime & { at: Date } {
  if (local === undefined || zone === undefined) throw new Refusal("invalid_input", { fields: { local: ["a date, a time of day and its zone"] } });
  const at = instantOf({ local, zone });
  if (!(at instanceof Date)) throw new Refusal("invalid_input", { detail: `${local.replace("T", " ")}, ${zone}: ${LOCAL_TIME_FAULTS[at]}`, fields: { [at === "unknown_zone" ? "zone" : "local"]: [LOCAL_TIME_FAULTS[at]] } });
  return { local, zone, at };
}

/** Nothing takes effect before it could be taken back. */
const soonest = ({ clock }: Ledger, { rules }: Policy): Date => new Date(clock.getTime() + rules.undo_seconds * 1000);

/** Moves an approved change to a chosen time: after the undo time, before it expires. */
export async function setTime(ledger: Ledger, change: LoadedChange, personId: string, { local, zone, at }: LocalTime & { at: Date }, policy: Policy): Promise<Committed<Decided>> {
  if (at <= ledger.clock) throw new Refusal("invalid_input", { fields: { local: ["this time has passed"] } });
  if (at < soonest(ledger, policy)) throw new Refusal("invalid_input", { detail: `An approval can be taken back for ${policy.rules.undo_seconds} seconds; this time is sooner`, fields: { local: ["sooner than an approval takes effect"] } });
  if (at >= change.expiresAt) throw new Refusal("invalid_input", { detail: "The change expires before that", fields: { local: ["the change expires before that"] } });
  await ledger.db.changeSchedule.create({ data: { merchantId: change.merchantId, changeId: change.id, revision: change.revision + 1, personId, local, zone, at } });
  return move(ledger, change, at);
}

async function move(ledger: Ledger, change: LoadedChange, effectiveAt: Date | null): Promise<Committed<Decided>> {
  const { entry } = await advance(ledger, change, "schedule", effectiveAt ? { at: effectiveAt.toISOString() } : {}, { effectiveAt });
  return {
    result: { verb: "schedule", changeId: change.id, at: entry.at, leafHash: entry.leafHash, effectiveAt }, entries: [entry],
    effects: effectiveAt ? [{ type: "change.apply", subject: change.id, dueAt: effectiveAt }] : [],
  };
}
