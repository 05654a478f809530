import type { Entry } from "./entry";

type Key = { agent: string; owner: string; persons: ReadonlySet<string>; revoked: boolean };

const nobody: ReadonlySet<string> = new Set();

/** Agents' keys as the log tells them. */
export class Keys {
  private readonly keys = new Map<string, Key>();

  get(id: string): Key | undefined {
    return this.keys.get(id);
  }

  /** Who owned, made or rotated the key so far. */
  persons(id: string | undefined): ReadonlySet<string> {
    return (id !== undefined && this.get(id)?.persons) || nobody;
  }

  replay({ type, subject, data: { agent, owner, by } }: Entry<"key.created" | "key.rotated" | "key.revoked">): void {
    const before = this.get(subject);
    if (type === "key.revoked") {
      if (before) before.revoked = true;
      return;
    }
    // A new set each time: changes keep the one of their staging.
    this.keys.set(subject, { agent, owner, persons: new Set([...this.persons(subject), owner, by]), revoked: before?.revoked ?? false });
  }

  /** Why its key does not let an agent stage this, or null. */
  stagingFault({ actor, data }: Entry<"change.staged">): string | null {
    if (actor.kind !== "agent") return null;
    if (data.agent !== undefined && data.agent !== actor.id) return `${actor.id} stages as ${data.agent}`;
    const key = data.key === undefined ? undefined : this.get(data.key);
    if (!key) return null; // the format lets an entry name none
    if (key.agent !== actor.id) return `${actor.id} stages with ${data.key}, a key of ${key.agent}`;
    // What an approver lowered keeps the key and the owner of its first staging, whatever became of the key since.
    if (data.by !== undefined) return key.persons.has(actor.for) ? null : `${actor.for} never owned ${data.key}`;
    if (key.revoked) return `${actor.id} stages with ${data.key}, which was revoked`;
    return key.owner === actor.for ? null : `${actor.id} stages for ${actor.for} with ${data.key}, which ${key.owner} owns`;
  }
}
