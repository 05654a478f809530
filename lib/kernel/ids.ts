import { randomBytes } from "node:crypto";

export const ID_PREFIXES = [
  "chg", "ses", "drf", "ord", "lin", "pay", "rfd", "lst", "cmp", "prm", "cus", "mer", "per", "mem", "agt", "key",
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** A new id: 60 random bits as ten characters of base64url behind its prefix. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}-${randomBytes(8).toString("base64url").slice(0, 10)}`;
}
