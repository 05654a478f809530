import type { EntryView } from "@/lib/changes/view";
import type { GlyphName } from "@/components/ui/glyph";

type Shown = { words: string; glyph: GlyphName; colour: string; /** A person's decision, which has a stroke. */ signed?: true };

const SHOWN: Record<string, Shown> = {
  "log.opened": { words: "Log opened", glyph: "paper", colour: "text-ink" },
  "policy.published": { words: "Policy published", glyph: "paper", colour: "text-ink" },
  "policy.proposed": { words: "Policy proposed", glyph: "second", colour: "text-second" },
  "policy.declined": { words: "Policy proposal ended", glyph: "back", colour: "text-ink" },
  "merchant.paused": { words: "Paused", glyph: "pause", colour: "text-failed" },
  "merchant.resumed": { words: "Resumed", glyph: "forward", colour: "text-ink" },
  "member.added": { words: "Member added", glyph: "person", colour: "text-ink" },
  "member.changed": { words: "Member changed", glyph: "person", colour: "text-ink" },
  "member.removed": { words: "Member removed", glyph: "person", colour: "text-ink" },
  "member.link_made": { words: "One-time link made", glyph: "key", colour: "text-ink" },
  "member.link_used": { words: "Signed in by link", glyph: "person", colour: "text-ink" },
  "agent.created": { words: "Agent created", glyph: "key", colour: "text-ink" },
  "agent.changed": { words: "Agent changed", glyph: "key", colour: "text-ink" },
  "key.created": { words: "Key made", glyph: "key", colour: "text-ink" },
  "key.rotated": { words: "Key rotated", glyph: "key", colour: "text-ink" },
  "key.revoked": { words: "Key revoked", glyph: "key", colour: "text-ink" },
  "change.staged": { words: "Staged", glyph: "waiting", colour: "text-staged" },
  "change.endorsed": { words: "Approved, more needed", glyph: "second", colour: "text-second", signed: true },
  "change.approved": { words: "Approved", glyph: "approved", colour: "text-approved", signed: true },
  "change.retracted": { words: "Taken back", glyph: "back", colour: "text-staged" },
  "change.rejected": { words: "Rejected", glyph: "rejected", colour: "text-rejected", signed: true },
  "change.withdrawn": { words: "Withdrawn", glyph: "back", colour: "text-expired" },
  "change.expired": { words: "Expired", glyph: "expired", colour: "text-expired" },
  "change.scheduled": { words: "Scheduled", glyph: "clock", colour: "text-approved" },
  "change.applying": { words: "Applying", glyph: "applying", colour: "text-applying" },
  "change.applied": { words: "Applied", glyph: "applied", colour: "text-applied" },
  "change.failed": { words: "Failed", glyph: "warning", colour: "text-failed" },
  "change.refused": { words: "Refused", glyph: "rejected", colour: "text-rejected" },
  "content.erased": { words: "Content erased", glyph: "cross", colour: "text-ink" },
};

/** How a type of entry is shown; one that we do not know is shown by its own name. */
export const shownEntry = (type: string): Shown => SHOWN[type] ?? { words: type, glyph: "paper", colour: "text-ink" };

const NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight"];

/** The words for one entry: "Approved, one more needed" where its detail says "1 of 2". */
export function entryWords({ type, detail }: Pick<EntryView, "type" | "detail">): string {
  const [, have, required] = /^(\d+) of (\d+)$/.exec(detail ?? "") ?? [];
  if (type !== "change.endorsed" || !have || !required) return shownEntry(type).words;
  const missing = Number(required) - Number(have);
  return `Approved, ${NUMBERS[missing] ?? missing} more needed`;
}
