import type { Ctx, PersonActor } from "../kernel/context";
import { authorise, mayDo } from "../kernel/permit";
import type { Verdict } from "../kernel/verdict";
import { tenant } from "../database/client";
import { readPolicyInForce } from "../guardrails/queries";
import { entriesAbout } from "../log/queries";
import { readProgress, type ItemProgress } from "../platforms/items";
import { readOrderFacts, remainingOf } from "../platforms/store/order-facts";
import { approvalBlocker } from "./approval-blocker";
import { readBeside } from "./beside";
import { readConflicts } from "./conflicts";
import { diffLines } from "./diff-lines";
import { toEntryViews } from "./entry-views";
import { judge, totalOf } from "./judge";
import { judgedOf, readApprovedToday } from "./judged";
import { loadChange, type Approval, type LoadedChange } from "./load";
import { readOrigin } from "./origin-view";
import { readReproposed } from "./reproposed";
import { retractBlocker } from "./retract";
import { scheduleBlocker } from "./schedule";
import { readSchedule } from "./scheduled";
import { sinceProposed } from "./since-proposed";
import type { ChangeView, EntryView } from "./view";

/** Everything that judging one change needs, on today's figures. Refuses `not_found`, for another merchant's too. */
export async function readChange(ctx: Ctx<PersonActor>, id: string): Promise<ChangeView> {
  authorise(ctx, "changes:read");
  const { merchantId, actor, now } = ctx;
  const change = await loadChange(tenant(merchantId), merchantId, id);
  const [order, inForce, rows] = await Promise.all([
    readOrderFacts(tenant(merchantId), merchantId, change.orderId), readPolicyInForce(merchantId), entriesAbout(merchantId, id),
  ]);
  const holding = change.state === "approved" || change.state === "applying";
  const approving = change.state === "staged" && mayDo(actor, "change:decide");
  const approvedTodayMinor = approving ? await readApprovedToday(tenant(merchantId), change, actor.id, now) : undefined;
  const [judgement, entries, beside] = await Promise.all([
    judge(tenant(merchantId), merchantId, order!, judgedOf(change), { ...inForce, now, approvedTodayMinor }), toEntryViews(merchantId, rows), readBeside(merchantId, change, order!, now),
  ]);
  const { content } = change;
  const signed = change.state === "staged" ? change.counting : change.approvals; // who left since does not count towards what is still to be decided
  const seen = { digest: change.digest, factsDigest: judgement.factsDigest };
  const blocker = mayDo(actor, "change:decide") ? approvalBlocker(change, actor.id, seen, judgement, now) : null;
  const [names, progress, conflicts, reproposed, verdict] = await Promise.all([
    readNames(merchantId), readProgress(tenant(merchantId), merchantId, id), readConflicts(merchantId, change.orderId, id), readReproposed(merchantId, [id]), readVerdict(merchantId, id),
  ]);
  const decidable = change.state === "staged" || change.state === "approved";
  const own = holding ? change.amountMinor : 0n;
  const counted = change.state === "staged" || holding ? change.amountMinor : 0n;
  return {
    id, kind: "refund", state: change.state, revision: change.revision, ...seen, figures: judgement.figures,
    summary: content.summary, reason: content.reason, note: content.note, evidence: content.evidence, currency: change.currency,
    amountMinor: String(change.amountMinor), stagedAt: change.stagedAt.toISOString(), expiresAt: change.expiresAt.toISOString(),
    lines: diffLines(content.items, order!, decidable ? { now: true, held: holding } : "proposed"), orderLines: order!.lines.length,
    payment: {
      id: order!.payment.id, capturedMinor: String(order!.payment.capturedMinor), refundedMinor: String(order!.payment.refundedMinor),
      heldMinor: String(order!.payment.heldMinor - own), disputedMinor: String(order!.payment.disputedMinor),
      stagedElsewhereMinor: String(order!.payment.stagedMinor - (change.state === "staged" ? change.amountMinor : 0n)),
      remainsAfterMinor: String(remainingOf(order!.payment) + own - counted),
    },
    verdict: judgement.verdict, required: Math.max(change.required, judgement.verdict.required), have: signed.length,
    signatures: signaturesOf(signed, entries, names, actor.id), entries, ...beside, ...(await readOrigin(merchantId, change, names, beside.agent?.name ?? null)),
    conflicts, reproposed: reproposed.get(id) ?? null, sinceProposed: decidable ? sinceProposed(change, { captured: capturedThen(entries), verdict }, order!, judgement) : [],
    rejection: await readRejection(merchantId, change, names), failure: failureOf(change, entries), paidMinor: String(paid(change, progress)),
    applying: applyingOf(change, entries, progress), schedule: await scheduleOf(change, names, ctx), undo: undoOf(change, actor.id, now),
    viewer: {
      personId: actor.id, name: names.get(actor.id)?.name ?? "", mayDecide: mayDo(actor, "change:decide"), blocker: blocker?.code ?? null,
      whoCan: [...names].filter(([person, { decides }]) => decides && !change.excludes.includes(person) && !change.approvals.some(({ personId }) => personId === person)).map(([, { name }]) => name).toSorted(),
    },
  };
}

const readVerdict = async (merchantId: string, changeId: string): Promise<Verdict> =>
  JSON.parse((await tenant(merchantId).changeVerdict.findUniqueOrThrow({ where: { merchantId_changeId: { merchantId, changeId } } })).verdict) as Verdict;

const capturedThen = (entries: readonly EntryView[]): string => (JSON.parse(entryAtRevision(entries, 1)!.bytes) as { data: { captured: string } }).data.captured;

type Names = Map<string, { name: string; decides: boolean }>;

async function readNames(merchantId: string): Promise<Names> {
  const members = await tenant(merchantId).member.findMany({ where: { merchantId }, select: { personId: true, role: true, removedAt: true, person: { select: { name: true } } } });
  return new Map(members.map(({ personId, role, removedAt, person }) => [personId, { name: person.name, decides: removedAt === null && role !== "auditor" }]));
}

const entryAtRevision = (entries: readonly EntryView[], revision: number): EntryView | undefined =>
  entries.find(({ bytes }) => (JSON.parse(bytes) as { revision?: number }).revision === revision);

function signaturesOf(approvals: readonly Approval[], entries: readonly EntryView[], names: Names, viewer: string): ChangeView["signatures"] {
  return approvals.map(({ personId, revision, at }) => ({
    personId, name: names.get(personId)?.name ?? personId, at: at.toISOString(), leafHash: entryAtRevision(entries, revision)?.leafHash ?? "", mine: personId === viewer,
  }));
}

async function readRejection(merchantId: string, change: LoadedChange, names: Names): Promise<ChangeView["rejection"]> {
  if (change.state !== "rejected") return null;
  const decision = await tenant(merchantId).decision.findUniqueOrThrow({ where: { merchantId_changeId_revision: { merchantId, changeId: change.id, revision: change.revision } } });
  const kept = decision.textDigest && (await tenant(merchantId).digestedText.findUnique({ where: { merchantId_digest: { merchantId, digest: decision.textDigest } } }));
  const reason = kept ? (JSON.parse(kept.text) as { text: string }).text : null;
  return { name: names.get(decision.personId)?.name ?? decision.personId, at: decision.at.toISOString(), reason };
}

function failureOf(change: LoadedChange, entries: readonly EntryView[]): ChangeView["failure"] {
  if (change.state !== "failed") return null;
  const failed = entries.find(({ type }) => type === "change.failed")!;
  const { data } = JSON.parse(failed.bytes) as { data: { cause: string; rule?: string; cap?: string; actual?: string } };
  return { at: failed.at, cause: data.cause, rule: data.rule ?? null, cap: data.cap ?? null, actual: data.actual ?? null };
}

function applyingOf(change: LoadedChange, entries: readonly EntryView[], progress: readonly ItemProgress[]): ChangeView["applying"] {
  if (change.state !== "applying") return null;
  return {
    since: entryAtRevision(entries, change.revision)!.at, items: change.content.items.length,
    done: progress.filter(({ state }) => state === "done").length, unclear: progress.some(({ state }) => state === "sending"),
  };
}

async function scheduleOf(change: LoadedChange, names: Names, { actor, now }: Ctx<PersonActor>): Promise<ChangeView["schedule"]> {
  if (change.state !== "approved") return null;
  const chosen = await readSchedule(tenant(change.merchantId), change);
  if (!chosen && change.effectiveAt) return null;
  return {
    at: chosen?.at.toISOString() ?? null, local: chosen?.local ?? "", zone: chosen?.zone ?? "", by: (chosen && names.get(chosen.personId)?.name) ?? "",
    mayChange: mayDo(actor, "change:decide") && scheduleBlocker(change, actor.id, { now, clock: now }) === null,
  };
}

const paid = (change: LoadedChange, progress: readonly ItemProgress[]): bigint =>
  totalOf(progress.filter(({ state }) => state === "done").map(({ item }) => change.content.items[item]!));

function undoOf(change: LoadedChange, viewer: string, now: Date): ChangeView["undo"] {
  if (change.state !== "approved" || (change.effectiveAt && change.effectiveAt <= now)) return null;
  return { effectiveAt: change.effectiveAt?.toISOString() ?? null, mine: retractBlocker(change, viewer, now) === null };
}
