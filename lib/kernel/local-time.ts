import { Temporal } from "temporal-polyfill";

/** A time as a clock on a wall shows it, `2026-12-01T09:00`, and the IANA zone of that clock. */
export type LocalTime = { local: string; zone: string };
export type LocalTimeFault = "unknown_zone" | "no_such_time" | "skipped" | "twice";

/** What a person is told of a time that names no instant. */
export const LOCAL_TIME_FAULTS: Record<LocalTimeFault, string> = {
  unknown_zone: "There is no such time zone.", no_such_time: "Give a date and a time of day.",
  skipped: "Clocks go forward then: this time does not exist in this zone.", twice: "Clocks go back then: this time comes twice in this zone.",
};

/** The instant of a local time; or why there is not exactly one: clocks go forward over it, or back through it. */
export function instantOf({ local, zone }: LocalTime): Date | LocalTimeFault {
  if (!isZone(zone)) return "unknown_zone";
  const wall = plain(local);
  if (!wall) return "no_such_time";
  const [earlier, later] = (["earlier", "later"] as const).map((disambiguation) => wall.toZonedDateTime(zone, { disambiguation }));
  if (earlier!.epochMilliseconds === later!.epochMilliseconds) return new Date(earlier!.epochMilliseconds);
  return earlier!.toPlainDateTime().equals(wall) ? "twice" : "skipped";
}

/** The first instant of a day of the zone's calendar, `2026-12-01`, or of a day after it: not always its midnight. */
export function startOfDay(day: string, zone: string, plusDays = 0): Date | LocalTimeFault {
  if (!isZone(zone)) return "unknown_zone";
  const date = plain(`${day}T00:00`)?.toPlainDate();
  return date ? new Date(date.add({ days: plusDays }).toZonedDateTime(zone).epochMilliseconds) : "no_such_time";
}

function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "" && /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

function plain(local: string): Temporal.PlainDateTime | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return null;
  try {
    return Temporal.PlainDateTime.from(local, { overflow: "reject" });
  } catch {
    return null;
  }
}
