import type { Entry } from "./entry";

export type Role = "admin" | "operator" | "auditor";

const nobody: ReadonlySet<string> = new Set();

/** Members, keys, policy and pause as the log tells them, at the seq that was replayed last. */
export class Roster {
  policy = 0;
  paused = false;
  private readonly roles = new Map<string, Role>();
  private readonly links = new Map<string, string>();
  private readonly makers = new Map<string, ReadonlySet<string>>();

  role(person: string): Role | null {
    return this.roles.get(person) ?? null;
  }

  mayDecide(person: string): boolean {
    const role = this.role(person);
    return role === "admin" || role === "operator";
  }

  /** The person's one-time link that may be used: the newest. */
  link(person: string): string | null {
    return this.links.get(person) ?? null;
  }

  /** Who owned, made or rotated the key so far. */
  keyPersons(key: string | undefined): ReadonlySet<string> {
    return (key !== undefined && this.makers.get(key)) || nobody;
  }

  replay(entry: Entry): void {
    switch (entry.type) {
      case "policy.published": this.policy = entry.data.version; break;
      case "merchant.paused": this.paused = true; break;
      case "merchant.resumed": this.paused = false; break;
      case "member.added":
      case "member.changed": this.roles.set(entry.data.person, entry.data.role); break;
      case "member.removed":
        this.roles.delete(entry.data.person);
        this.links.delete(entry.data.person);
        break;
      case "member.link_made": this.links.set(entry.data.person, entry.data.link); break;
      case "member.link_used": this.links.delete(entry.data.person); break;
      // A new set each time: changes keep the one of their staging.
      case "key.created":
      case "key.rotated": this.makers.set(entry.subject, new Set([...this.keyPersons(entry.subject), entry.data.owner, entry.data.by])); break;
      default: // says nothing about who may do what
    }
  }
}

/** What a receipt knows of people, policy and pause: nothing. So nothing of it is held against anybody. */
export class UnknownRoster extends Roster {
  override policy = Number.MAX_SAFE_INTEGER;
  override role = (): Role => "admin";
  override replay = (): void => undefined;
}
