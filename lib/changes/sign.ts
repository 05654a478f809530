import type { Ctx, PersonActor } from "../kernel/context";
import { digestedText } from "../kernel/digest";
import { Refusal } from "../kernel/refusal";
import type { Committed, Ledger } from "../ledger/commit";
import type { Appended } from "../log/append";
import type { Policy } from "../guardrails/schema";
import { advance } from "./advance";
import { applyChange } from "./apply";
import type { Decided } from "./decided";
import type { Judgement } from "./judge";
import type { LoadedChange } from "./load";
import { setTime, type localTime } from "./schedule";

type Signing = {
  judgement: Judgement; policy: Policy; seenFactsDigest: string; comment: string | undefined;
  /** When it is to be applied, which the last signature may say. */
  time?: ReturnType<typeof localTime> | null;
};

/** Writes a person's signature under a change that they may sign. The last one needed approves it and takes the hold; an earlier one endorses it. */
export async function sign(ledger: Ledger, { merchantId, actor }: Ctx<PersonActor>, change: LoadedChange, { judgement, policy, seenFactsDigest, comment: said, time = null }: Signing): Promise<Committed<Decided>> {
  const required = Math.max(change.required, judgement.verdict.required);
  const have = change.counting.length + 1;
  const verb = have < required ? "endorse" : "approve";
  if (time && verb === "endorse") throw new Refusal("not_approved", { detail: "Whoever signs last sets the time" });
  const effectiveAt = verb === "approve" ? new Date(ledger.clock.getTime() + policy.rules.undo_seconds * 1000) : null;
  const comment = said ? digestedText({ text: said }) : null;
  const data = { policy: policy.version, required, have, factsDigest: judgement.factsDigest, commentDigest: comment?.digest };
  const { change: signed, entry } = await advance(ledger, change, verb, data, { effectiveAt });
  if (comment) await ledger.db.digestedText.create({ data: { merchantId, digest: comment.digest, subject: change.id, text: comment.text } });
  await ledger.db.decision.create({
    data: { merchantId, changeId: change.id, revision: signed.revision, personId: actor.id, kind: verb, at: entry.at, seenDigest: change.digest, seenFactsDigest, textDigest: comment?.digest ?? null },
  });
  if (time) return timed(entry, await setTime(ledger, signed, actor.id, time, policy));
  const result: Decided = { verb, changeId: change.id, at: entry.at, leafHash: entry.leafHash, effectiveAt };
  return { result, entries: [entry], effects: effectiveAt ? [{ type: "change.apply", subject: change.id, dueAt: effectiveAt }] : [] };
}

/** An approval whose time is set with it. */
const timed = (entry: Appended, { result, entries, effects }: Committed<Decided>): Committed<Decided> =>
  ({ result: { ...result, verb: "approve", at: entry.at, leafHash: entry.leafHash }, entries: [entry, ...entries], effects });

/** What takes effect at once is applied at once. */
export async function applyIfDue(merchantId: string, decided: Decided): Promise<Decided> {
  const isNow = decided.effectiveAt !== null && decided.effectiveAt <= decided.at;
  if (isNow) await applyChange(merchantId, decided.changeId).catch(() => undefined); // the outbox has it too
  return decided;
}
