import type { Scope } from "@/lib/kernel/context";

/** What a key may do, in words: short for a table, longer for the form. */
export const SCOPE_CHOICES: readonly { value: Scope; short: string; word: string; says: string }[] = [
  { value: "read", short: "reads orders", word: "Read orders", says: "and the policy" },
  { value: "stage:refund", short: "proposes refunds", word: "Propose refunds", says: "and see and withdraw its own" },
  { value: "changes:read_all", short: "sees every change", word: "See every change", says: "not only its own" },
  { value: "log:read", short: "downloads the log", word: "Download the log", says: "all of it" },
];

export const scopeWords = (scopes: readonly Scope[]): string => SCOPE_CHOICES.filter(({ value }) => scopes.includes(value)).map(({ short }) => short).join(", ");
