import type { MoveType } from "./entry-types";

export type State = "staged" | "approved" | "applying" | "applied" | "failed" | "rejected" | "withdrawn" | "expired";
type ActorKind = "person" | "agent" | "system";
type Transition = { from: readonly State[]; to: State; by: readonly ActorKind[] };

/** What each entry moves a change from and to, and who may write it: the verifier's own copy of DESIGN section 4. */
export const TRANSITIONS: Record<MoveType, Transition> = {
  "change.staged": { from: [], to: "staged", by: ["agent", "person"] },
  "change.endorsed": { from: ["staged"], to: "staged", by: ["person"] },
  "change.approved": { from: ["staged"], to: "approved", by: ["person"] },
  "change.scheduled": { from: ["approved"], to: "approved", by: ["person"] },
  "change.retracted": { from: ["approved"], to: "staged", by: ["person"] },
  "change.rejected": { from: ["staged", "approved"], to: "rejected", by: ["person"] },
  "change.withdrawn": { from: ["staged", "approved", "failed"], to: "withdrawn", by: ["agent", "person"] },
  "change.expired": { from: ["staged", "approved"], to: "expired", by: ["system"] },
  "change.applying": { from: ["approved", "failed"], to: "applying", by: ["person"] },
  "change.applied": { from: ["applying"], to: "applied", by: ["person"] },
  "change.failed": { from: ["approved", "applying"], to: "failed", by: ["person"] },
};

const left = new Set(Object.values(TRANSITIONS).flatMap(({ from }) => from));
/** States that no entry leaves. */
export const isFinal = (state: State): boolean => !left.has(state);
/** States whose total counts against the payment. */
export const countsAgainstPayment = (state: State): boolean => state === "approved" || state === "applying" || state === "applied";
