/** A time zone that this runtime knows, else UTC. */
export function knownZone(zone: string | undefined): string {
  if (!zone) return "UTC";
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}

const FORMATS = {
  /** 14:06 */
  minute: { hour: "2-digit", minute: "2-digit" },
  /** 14:06:42 */
  second: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  /** 14:06:42.118 */
  exact: { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 },
  /** 7 Dec */
  day: { day: "numeric", month: "short" },
  /** 7 Dec 2026 */
  date: { day: "numeric", month: "short", year: "numeric" },
  /** 7 Dec 2026, 14:06 */
  dateMinute: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  /** Mon, 7 Dec 2026, 14:06 */
  weekday: { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  /** 7 Dec 2026, 14:06:42.118 GMT */
  full: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, timeZoneName: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type TimeFormat = keyof typeof FORMATS;

const formatters = new Map<string, Intl.DateTimeFormat>();

export function formatTime(at: Date, zone: string, as: TimeFormat): string {
  const key = `${as} ${zone}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat("en-GB", { ...FORMATS[as], timeZone: zone, hourCycle: "h23" });
  formatters.set(key, formatter);
  // Runtimes differ in the short name of September and in spaces; the server's text must be the browser's.
  return formatter.format(at).replace("Sept", "Sep").replaceAll("\u202f", " ");
}

/** "14:06:42" today, "29 Nov, 14:06" on another day. */
export function formatRecent(at: Date, now: Date, zone: string, today: TimeFormat = "second"): string {
  const sameDay = formatTime(at, zone, "date") === formatTime(now, zone, "date");
  return sameDay ? formatTime(at, zone, today) : `${formatTime(at, zone, "day")}, ${formatTime(at, zone, "minute")}`;
}

/** "London (GMT)" */
export function zoneName(zone: string, at: Date): string {
  if (zone === "UTC") return "UTC";
  const short = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "short" }).formatToParts(at).find((part) => part.type === "timeZoneName");
  return `${zone.split("/").at(-1)?.replaceAll("_", " ")} (${short?.value ?? zone})`;
}

/** A time of a clock on a wall, `2026-12-07T14:06`, in words: its day and time as they stand. */
export const localWords = (local: string): string => formatTime(new Date(`${local}:00.000Z`), "UTC", "weekday");

/** A moment as a clock in this zone shows it, in the form of a date and time field: `2026-12-07T14:06`. */
export function localOf(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return `${of("year")}-${of("month")}-${of("day")}T${of("hour")}:${of("minute")}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in its largest whole unit: "now", "6 min", "5 h", "3 d". */
export function formatSpan(milliseconds: number): string {
  if (milliseconds < MINUTE) return "now";
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
  return milliseconds < 2 * DAY ? `${Math.floor(milliseconds / HOUR)} h` : `${Math.floor(milliseconds / DAY)} d`;
}
