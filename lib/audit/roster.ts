import type { Entry } from "./entry";
import { Keys } from "./keys";

export type Role = "admin" | "operator" | "auditor";
type Proposal = { base: number; rules: string; by: string };

/** Members, keys, policy and pause as the log tells them, at the seq that was replayed last. */
export class Roster {
  policy = 0;
  /** The policy that waits for another admin. */
  proposal: Proposal | null = null;
  /** Who threw the kill switch that holds. */
  pausedBy: string | null = null;
  readonly keys = new Keys();
  private readonly roles = new Map<string, Role>();
  private readonly links = new Map<string, string>();

  get paused(): boolean {
    return this.pausedBy !== null;
  }

  role(person: string): Role | null {
    return this.roles.get(person) ?? null;
  }

  mayDecide(person: string): boolean {
    const role = this.role(person);
    return role === "admin" || role === "operator";
  }

  /** Whether somebody else governs too: then what weighs most takes both. */
  hasAnotherAdmin(person: string): boolean {
    for (const [other, role] of this.roles) if (role === "admin" && other !== person) return true;
    return false;
  }

  /** The person's one-time link that may be used: the newest. */
  link(person: string): string | null {
    return this.links.get(person) ?? null;
  }

  replay(entry: Entry): void {
    switch (entry.type) {
      case "policy.published":
        this.policy = entry.data.version;
        this.proposal = null;
        break;
      case "policy.proposed": this.proposal = { base: entry.data.base, rules: rulesText(entry), by: entry.actor.id }; break;
      case "policy.declined": this.proposal = null; break;
      case "merchant.paused": this.pausedBy = entry.actor.id; break;
      case "merchant.resumed": this.pausedBy = null; break;
      case "member.added":
      case "member.changed": this.roles.set(entry.data.person, entry.data.role); break;
      case "member.removed":
        this.roles.delete(entry.data.person);
        this.links.delete(entry.data.person);
        break;
      case "member.link_made": this.links.set(entry.data.person, entry.data.link); break;
      case "member.link_used": this.links.delete(entry.data.person); break;
      case "key.created":
      case "key.rotated":
      case "key.revoked": this.keys.replay(entry); break;
      default: // says nothing about who may do what
    }
  }
}

/** A policy's rules as one text: entries are canonical, so the same rules print alike. */
export const rulesText = ({ data }: Entry<"policy.proposed" | "policy.published">): string => JSON.stringify(data.rules);

/** What a receipt knows of people, policy and pause: nothing. So nothing of it is held against anybody. */
export class UnknownRoster extends Roster {
  override policy = Number.MAX_SAFE_INTEGER;
  override role = (): Role => "admin";
  override replay = (): void => undefined;
}
