export type Role = "admin" | "operator" | "auditor";
export const ROLES = ["admin", "operator", "auditor"] as const satisfies readonly Role[];

/** Scopes of an agent's key. `stage:<kind>` brings its own changes and their withdrawal with it. */
export type Scope = "read" | "stage:refund" | "changes:read_all" | "log:read";
export const SCOPES = ["read", "stage:refund", "changes:read_all", "log:read"] as const satisfies readonly Scope[];

/** `signInId` names the sign-in that every write is checked against. */
export type PersonActor = { kind: "person"; id: string; role: Role; signInId: string };
export type AgentActor = { kind: "agent"; id: string; keyId: string; for: string; scopes: readonly Scope[] };
export type SystemActor = { kind: "system"; id: "worker" | "setup" };
export type Actor = PersonActor | AgentActor | SystemActor;

/** Time, actor and merchant travel together; nothing deeper reads a clock or a cookie. */
export type Ctx<A extends Actor = Actor> = { merchantId: string; actor: A; now: Date; requestId: string };

/** The actor as an entry names it (docs/format.md). */
export type EntryActor = { kind: Actor["kind"]; id: string; for?: string };

export function entryActor(actor: Actor): EntryActor {
  return actor.kind === "agent"
    ? { kind: actor.kind, id: actor.id, for: actor.for }
    : { kind: actor.kind, id: actor.id };
}
