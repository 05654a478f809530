"use client";

import { formatRecent, formatSpan, formatTime, zoneName, type TimeFormat } from "@/lib/browser/times";
import { useNow, useZone } from "./clock";

/** A moment in the viewer's zone; the tooltip names it in full. */
export function Time({ at, as, className }: { at: string; as: TimeFormat; className?: string }) {
  const zone = useZone();
  const date = new Date(at);
  return <time dateTime={at} title={formatTime(date, zone, "full")} className={className}>{formatTime(date, zone, as)}</time>;
}

/** The time today, else the day too. */
export function RecentTime({ at, today = "second", className }: { at: string; today?: TimeFormat; className?: string }) {
  const zone = useZone();
  const now = useNow(60_000);
  const date = new Date(at);
  return <time dateTime={at} title={formatTime(date, zone, "full")} className={className}>{formatRecent(date, now, zone, today)}</time>;
}

/** How long before `now`: "6 min". */
export function Age({ at, now }: { at: string; now: Date }) {
  const zone = useZone();
  const date = new Date(at);
  return <time dateTime={at} title={formatTime(date, zone, "full")}>{formatSpan(now.getTime() - date.getTime())}</time>;
}

/** "Times in London (GMT)" */
export function ZoneNote({ className }: { className?: string }) {
  const zone = useZone();
  const now = useNow(3_600_000);
  return <span className={className}>Times in {zoneName(zone, now)}</span>;
}
