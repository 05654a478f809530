import { describe, expect, it } from "vitest";
import { daysBetween, instantOf, localTime } from "./local-time";

const zone = "Europe/London";
const iso = (local: string, shift = 0): string => instantOf(local, zone, shift).toISOString();

describe("local time", () => {
  it("knows winter and summer", () => {
    expect(iso("2010-12-01T08:26:00")).toBe("2010-12-01T08:26:00.000Z");
    expect(iso("2011-07-01T08:26:00")).toBe("2011-07-01T07:26:00.000Z");
  });
  it("keeps the wall-clock time when days are moved over a change of the clocks", () => {
    expect(iso("2010-12-01T09:00:00", 200)).toBe("2011-06-19T08:00:00.000Z");
    expect(localTime(instantOf("2010-12-01T09:00:00", zone, 200), zone)).toBe("2011-06-19T09:00:00");
  });
  it("moves a skipped hour on, and takes the second of a repeated one", () => {
    expect(iso("2026-03-29T01:30:00")).toBe("2026-03-29T01:30:00.000Z");
    expect(iso("2026-10-25T01:30:00")).toBe("2026-10-25T01:30:00.000Z");
    expect(iso("2026-10-25T00:30:00")).toBe("2026-10-24T23:30:00.000Z");
  });
  it("counts days, not hours", () => {
    expect(daysBetween("2010-12-23T23:59:00", "2010-12-24T00:01:00")).toBe(1);
    expect(daysBetween("2010-12-23T00:01:00", "2010-12-23T23:59:00")).toBe(0);
    expect(daysBetween("2010-12-23T17:41:00", "2026-11-30T01:00:00")).toBe(5821);
  });
});
