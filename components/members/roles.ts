import type { Role } from "@/lib/kernel/context";

/** What each role may do, in words. */
export const ROLE_CHOICES: readonly { value: Role; word: string; says: string }[] = [
  { value: "operator", word: "Operator", says: "decides changes" },
  { value: "auditor", word: "Auditor", says: "reads everything and signs nothing" },
  { value: "admin", word: "Admin", says: "decides changes, and governs members, agents and keys" },
];

export const roleWord = (role: Role): string => ROLE_CHOICES.find(({ value }) => value === role)!.word;
