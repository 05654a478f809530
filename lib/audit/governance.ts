import { nameOf, type Entry } from "./entry";
import type { Fault } from "./finding";
import { rulesText, type Roster } from "./roster";

/** What is wrong with an entry that moves no change, before it is replayed: the step, and who takes it. */
export function* governanceFaults(entry: Entry, roster: Roster): Generator<Fault> {
  const step = stepFault(entry, roster);
  if (step) yield { kind: "illegal_transition", detail: step };
  const role = roleFault(entry, roster);
  if (role) yield role;
}

/** An admin governs, and setup does; whoever has a one-time link uses it. */
function roleFault({ type, actor }: Entry, roster: Roster): Fault | null {
  if (actor.kind === "system" && actor.id === "setup") return null;
  if (actor.kind !== "person") return { kind: "illegal_transition", detail: `${type} by ${nameOf(actor)}` };
  const role = roster.role(actor.id);
  if (role === null) return { kind: "not_a_member", detail: `${actor.id} was not a member at ${type}` };
  if (role === "admin" || type === "member.link_used") return null;
  return { kind: "not_a_member", detail: `${actor.id} was an ${role} at ${type}, which takes an admin` };
}

function stepFault(entry: Entry, roster: Roster): string | null {
  const { actor } = entry;
  switch (entry.type) {
    case "policy.published": return publishedFault(entry, roster);
    case "policy.proposed":
      if (roster.proposal) return `a policy is proposed while the one of ${roster.proposal.by} waits`;
      return entry.data.base === roster.policy ? null : `proposed in place of policy ${entry.data.base}, where policy ${roster.policy} is in force`;
    case "policy.declined":
      return roster.proposal?.base === entry.data.base ? null : `declines a policy in place of policy ${entry.data.base}, and none waits`;
    case "merchant.paused": return roster.paused ? "paused while the merchant was paused" : null;
    case "merchant.resumed":
      if (!roster.paused) return "resumed while the merchant was not paused";
      return roster.pausedBy === actor.id && roster.hasAnotherAdmin(actor.id) ? `${actor.id} paused and resumes, though another admin could` : null;
    case "key.created":
    case "key.rotated":
    case "key.revoked": return keyFault(entry, roster);
    case "member.link_used":
      return actor.id === entry.data.person && roster.link(entry.data.person) === entry.data.link ? null : `${actor.id} signs in by a link that was not made for them, or had ended`;
    default: return null;
  }
}

function publishedFault(entry: Entry<"policy.published">, roster: Roster): string | null {
  const { policy, proposal } = roster;
  if (entry.data.version !== policy + 1) return `policy ${entry.data.version} follows policy ${policy}`;
  if (!proposal) return null;
  if (rulesText(entry) !== proposal.rules) return `policy ${entry.data.version} is not the one that ${proposal.by} proposed`;
  return proposal.by === entry.actor.id && roster.hasAnotherAdmin(proposal.by) ? `${proposal.by} proposed and publishes, though another admin could` : null;
}

function keyFault({ type, subject, actor, data }: Entry<"key.created" | "key.rotated" | "key.revoked">, roster: Roster): string | null {
  const key = roster.keys.get(subject);
  if ((type === "key.created") !== (key === undefined)) return `${type} of a key that was ${key ? "created before" : "not created"}`;
  if (key && key.agent !== data.agent) return `${subject} is a key of ${key.agent}, not of ${data.agent}`;
  return type !== "key.revoked" && actor.kind === "person" && actor.id !== data.by ? `${actor.id} names ${data.by} as who made or rotated ${subject}` : null;
}
