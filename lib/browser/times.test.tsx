import { expect, test } from "vitest";
import { formatRecent, formatSpan, formatTime, knownZone, zoneName } from "./times";

const at = new Date("2026-11-30T14:06:42.118Z");

test("times are shown in the viewer's zone", () => {
  expect(formatTime(at, "Europe/London", "second")).toBe("14:06:42");
  expect(formatTime(at, "Asia/Kolkata", "dateMinute")).toBe("30 Nov 2026, 19:36");
  expect(formatTime(at, "UTC", "exact")).toBe("14:06:42.118");
  expect(formatTime(new Date("2026-09-01T00:00:00Z"), "UTC", "day")).toBe("1 Sep");
  expect(formatTime(new Date("2026-09-01T00:00:00Z"), "UTC", "minute")).toBe("00:00");
});

test("an earlier day is named", () => {
  expect(formatRecent(at, new Date("2026-11-30T20:00:00Z"), "UTC")).toBe("14:06:42");
  expect(formatRecent(at, new Date("2026-12-01T00:30:00Z"), "UTC")).toBe("30 Nov, 14:06");
  expect(formatRecent(at, new Date("2026-12-01T00:30:00Z"), "America/New_York")).toBe("09:06:42");
});

test("the zone is named, an unknown one is UTC", () => {
  expect(zoneName("Europe/London", at)).toBe("London (GMT)");
  expect(zoneName("UTC", at)).toBe("UTC");
  expect(knownZone("Mars/Olympus")).toBe("UTC");
  expect(knownZone("'; drop")).toBe("UTC");
  expect(knownZone(undefined)).toBe("UTC");
});

test("a span is said in its largest whole unit", () => {
  expect([59_999, 60_000, 3_599_999, 3_600_000, 47 * 3_600_000, 48 * 3_600_000].map(formatSpan)).toEqual(["now", "1 min", "59 min", "1 h", "47 h", "2 d"]);
});
