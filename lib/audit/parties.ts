import type { Entry } from "./entry";
import type { MoveType } from "./entry-types";
import type { Fault } from "./finding";
import type { Roster } from "./roster";
import type { State } from "./transitions";

/** Who has a say in a change, as its entries told so far. */
export type Parties = {
  state: State; excluded: ReadonlySet<string>; agent: string | undefined;
  /** person → whether they could give that approval. */
  approvals: Map<string, boolean>;
  /** Whose approval took effect, who set its time last, and that time: "" for any, null for none now. */
  approver: string | null; scheduler: string | null; due: string | null;
  /** Who set it to be applied, and by which attempt. */
  mover: string | null; attempt: string | null;
};

const illegal = (detail: string): Fault => ({ kind: "illegal_transition", detail });

/** Whether those who act are those who may, and when: the approver of a retraction, the agent of a withdrawal, who sets a time, who carries it out. */
export function partyFault(entry: Entry<MoveType>, life: Parties, roster: Roster): Fault | null {
  const { actor } = entry;
  switch (entry.type) {
    case "change.retracted":
      return life.approvals.has(actor.id) ? null : illegal(`${actor.id} takes back an approval that is not theirs`);
    case "change.withdrawn":
      return actor.kind === "agent" && actor.id !== life.agent ? illegal(`${actor.id} withdraws a change of ${life.agent ?? "a person"}`) : null;
    case "change.scheduled":
      return life.excluded.has(actor.id) ? { kind: "self_approval", detail: `${actor.id} may not approve this change, and sets its time` } : null;
    case "change.applying":
      return beginFault(entry, life, roster);
    case "change.applied":
    case "change.failed":
      if (life.state === "approved") return mayBegin(actor.id, life) ? null : illegal(`${actor.id} acts where ${life.scheduler ?? life.approver} set it to be applied`);
      if (actor.id !== life.mover) return illegal(`${actor.id} acts where ${life.mover} set it to be applied`);
      return entry.data.attempt !== life.attempt ? illegal(`attempt ${entry.data.attempt} follows attempt ${life.attempt}`) : null;
    default:
      return null;
  }
}

const mayBegin = (person: string, { approver, scheduler }: Parties): boolean => person === approver || person === scheduler;

function beginFault({ actor, at }: Entry<"change.applying">, life: Parties, roster: Roster): Fault | null {
  const retried = life.state === "failed";
  if (retried || !mayBegin(actor.id, life)) {
    if (life.excluded.has(actor.id)) return { kind: "self_approval", detail: `${actor.id} may not approve this change, and has it applied` };
    if (retried) return null; // a member, as for every decision
    return roster.mayDecide(actor.id)
      ? illegal(`${actor.id} has it applied, which ${life.scheduler ?? life.approver} set to be`)
      : { kind: "not_a_member", detail: `${actor.id} was no member who decides at change.applying` };
  }
  if (life.due === null) return illegal("applied while it had no time to be applied");
  return at < life.due ? illegal(`applied at ${at}, and was to be at ${life.due}`) : null;
}
