import type { ChangeView, DecisionState } from "@/lib/changes/view";
import type { RefusalCode } from "@/lib/kernel/refusal";
import type { Moved } from "../sheet/shown-change";
import type { Deed } from "../words";
import type { Effect } from "./countdown";

/** What the viewer did to a change, from the press to the answer. */
export type Pending =
  | { phase: "sent"; deed: Deed }
  | { phase: "lost"; deed: Deed }
  | { phase: "answered"; deed: Deed; answer: Exclude<DecisionState, { status: "idle" }>; /** On this device's clock. */ sentAt: number };

/** What the foot of the change is: one state at a time, never two. */
export type BarState =
  | { kind: "open" }
  | { kind: "signing"; deed: Deed }
  | { kind: "lost"; deed: Deed }
  | { kind: "refused"; deed: Deed; answer: Extract<DecisionState, { status: "refused" }> }
  | { kind: "moved"; moved: Moved[] }
  | { kind: "blocked"; code: RefusalCode; whoCan: string[]; mayReject: boolean; /** What asks for too much may be lowered. */ mayTrim?: boolean; /** The merchant is paused. */ paused?: boolean }
  | { kind: "counting"; effect: Effect; mine: boolean }
  | { kind: "scheduled"; schedule: NonNullable<ChangeView["schedule"]>; mine: boolean; mayChange: boolean; mayReject: boolean }
  | { kind: "failed"; mayAct: boolean }
  | { kind: "decided" };

/** What stops a signature and not a lower one; who signed already may sign what is lowered. */
const LOWERED: ReadonlySet<RefusalCode> = new Set(["exceeds_refundable", "guardrail_violation", "already_endorsed"]);

export function barState(change: ChangeView, moved: Moved[], pending: Pending | undefined): BarState {
  if (pending?.phase === "sent") return { kind: "signing", deed: pending.deed };
  if (pending?.phase === "lost") return { kind: "lost", deed: pending.deed };
  if (pending?.answer.status === "refused") return { kind: "refused", deed: pending.deed, answer: pending.answer };
  const done = pending?.answer.status === "done" ? pending.answer : null;
  const { viewer } = change;
  if (change.state === "staged") {
    // The answer is here before the list is: until the change is read again, the answer stands.
    if (pending?.deed === "trim" && done) return { kind: "decided" };
    if (done?.verb === "approve") return countingOf(pending) ?? { kind: "decided" };
    if (done?.verb === "endorse") return { kind: "blocked", code: "already_endorsed", whoCan: viewer.whoCan, mayReject: false };
    if (done?.verb === "reject" || done?.verb === "withdraw") return { kind: "decided" };
    if (!viewer.mayDecide) return { kind: "blocked", code: viewer.blocker ?? "forbidden", whoCan: viewer.whoCan, mayReject: false };
    if (moved.length > 0) return { kind: "moved", moved };
    return viewer.blocker ? { kind: "blocked", code: viewer.blocker, whoCan: viewer.whoCan, mayReject: true, ...(isPaused(change) ? { paused: true } : LOWERED.has(viewer.blocker) && { mayTrim: true }) } : { kind: "open" };
  }
  if (change.state === "approved" && change.schedule) return { kind: "scheduled", schedule: change.schedule, mine: change.undo?.mine ?? false, mayChange: change.schedule.mayChange, mayReject: viewer.mayDecide };
  if (change.state === "approved" && change.undo?.effectiveAt) return countingOf(pending) ?? { kind: "counting", effect: { effectiveAt: change.undo.effectiveAt }, mine: change.undo.mine };
  return change.state === "failed" ? { kind: "failed", mayAct: viewer.mayDecide } : { kind: "decided" };
}

/** No other figure would help: the switch is thrown. */
const isPaused = ({ verdict }: ChangeView): boolean => verdict.rules.some(({ rule, ok }) => rule === "paused" && !ok);

const LONGEST_UNDO_MS = 3_600_000;

/** The viewer's own approval that has not yet taken effect. What takes effect later than any undo time is no countdown. */
export function effectOf(pending: Pending | undefined): Effect | null {
  if (pending?.phase !== "answered" || pending.answer.status !== "done" || pending.answer.verb !== "approve") return null;
  const { effectiveAt, at } = pending.answer;
  return effectiveAt === null || Date.parse(effectiveAt) - Date.parse(at) > LONGEST_UNDO_MS ? null : { effectiveAt, answered: { at, sentAt: pending.sentAt } };
}

function countingOf(pending: Pending | undefined): BarState | null {
  const effect = effectOf(pending);
  return effect && { kind: "counting", effect, mine: true };
}
