import type { EntryView } from "@/lib/changes/view";
import { formatTime } from "@/lib/browser/times";

/** Entries by the viewer's day, in the order they come. */
export function days(entries: readonly EntryView[], zone: string): { day: string; entries: EntryView[] }[] {
  const groups: { day: string; entries: EntryView[] }[] = [];
  for (const entry of entries) {
    const day = formatTime(new Date(entry.at), zone, "date");
    const last = groups.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else groups.push({ day, entries: [entry] });
  }
  return groups;
}
