import type { Actor, Ctx, Scope } from "./context";
import { Refusal } from "./refusal";

export type Permission =
  | "change:stage" | "change:propose" | "change:decide" | "change:withdraw" | "change:apply" | "change:expire"
  | "changes:read" | "orders:read" | "log:read" | "policy:read" | "members:read" | "session:open"
  | "merchant:govern" | "refusals:close";

declare const minted: unique symbol;
/** Proof that the actor was checked. Only `authorise` makes one, and `commit` does not run without it. */
export type Permit<A extends Actor = Actor> = { readonly ctx: Ctx<A>; readonly permission: Permission; readonly [minted]: true };

export function authorise<A extends Actor>(ctx: Ctx<A>, permission: Permission): Permit<A> {
  if (!mayDo(ctx.actor, permission)) throw new Refusal(ctx.actor.kind === "agent" ? "scope_missing" : "forbidden");
  return { ctx, permission } as Permit<A>;
}

const AGENT: Partial<Record<Permission, readonly Scope[]>> = {
  "session:open": ["read", "stage:refund"],
  "orders:read": ["read"],
  "policy:read": ["read"],
  "change:stage": ["stage:refund"],
  "change:withdraw": ["stage:refund"],
  "changes:read": ["stage:refund", "changes:read_all"],
  "log:read": ["log:read"],
};
const READS: readonly Permission[] = ["changes:read", "orders:read", "log:read", "policy:read", "members:read"];
const OPERATOR: readonly Permission[] = [...READS, "change:propose", "change:decide", "change:withdraw", "change:apply"];

export function mayDo(actor: Actor, permission: Permission): boolean {
  switch (actor.kind) {
    case "agent":
      return AGENT[permission]?.some((scope) => actor.scopes.includes(scope)) ?? false;
    case "person":
      if (actor.role === "auditor") return READS.includes(permission);
      return OPERATOR.includes(permission) || (actor.role === "admin" && permission === "merchant:govern");
    case "system":
      return actor.id === "setup" ? permission === "merchant:govern" : ["change:apply", "change:expire", "refusals:close"].includes(permission);
  }
}
