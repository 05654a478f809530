export type Role = "admin" | "operator" | "auditor";

/** Scopes of an agent's key. `stage:<kind>` brings its own changes and their withdrawal with it. */
export type Scope = "read" | "stage:refund" | "changes:read_all" | "log:read";
export const SCOPES = ["read", "stage:refund", "changes:read_all", "log:read"] as const satisfies readonly Scope[];

/** `signInId` names the sign-in a decision is checked against; a person acting through a trusted script has none. */
export type PersonActor = { kind: "person"; id: string; role: Role; signInId: string };
export type AgentActor = { kind: "agent"; id: string; keyId: string; for: string; scopes: readonly Scope[] };
export type SystemActor = { kind: "system"; id: "worker" | "setup" };
export type Actor = PersonActor | AgentActor | SystemActor;

/** Time, actor and merchant travel together; nothing deeper reads a clock or a cookie. */
export type Ctx<A extends Actor = Actor> = { merchantId: string; actor: A; now: Date; requestId: string };

/** The actor as an entry names it (DESIGN section 7). */
export function entryActor(actor: Actor): { kind: string; id: string; for?: string } {
  return actor.kind === "agent"
    ? { kind: actor.kind, id: actor.id, for: actor.for }
    : { kind: actor.kind, id: actor.id };
}
