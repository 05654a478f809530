import type { LocalTime } from "./shop";

const DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
    });
    formats.set(zone, format);
  }
  return format;
}

/** What a clock in `zone` shows at an instant. */
export function localTime(instant: Date, zone: string): LocalTime {
  const part = Object.fromEntries(formatOf(zone).formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}`;
}

const asUtc = (local: LocalTime): number => Date.parse(`${local}Z`);
const dayOf = (local: LocalTime): number => Math.floor(asUtc(local) / DAY);

/** Days from one wall-clock day to another. */
export const daysBetween = (from: LocalTime, to: LocalTime): number => dayOf(to) - dayOf(from);

/**
 * The instant at which a clock in `zone` shows `local`, moved by whole days.
 * A time that the clocks skip is an hour later; one that they show twice is the second.
 */
export function instantOf(local: LocalTime, zone: string, shiftDays = 0): Date {
  const wall = asUtc(local) + shiftDays * DAY;
  const offset = (at: number): number => asUtc(localTime(new Date(at), zone)) - at;
  return new Date(wall - offset(wall - offset(wall)));
}
