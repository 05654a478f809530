import { expect, test } from "vitest";
import { instantOf, startOfDay } from "./local-time";

test.each([
  ["2026-12-01T09:00", "Europe/London", "2026-12-01T09:00:00.000Z"],
  ["2026-12-01T09:00", "Asia/Tokyo", "2026-12-01T00:00:00.000Z"],
  ["2026-07-01T09:00", "Europe/London", "2026-07-01T08:00:00.000Z"],
  ["2026-12-01T09:00", "Asia/Kathmandu", "2026-12-01T03:15:00.000Z"],
  ["2028-02-29T00:00", "UTC", "2028-02-29T00:00:00.000Z"],
])("%s in %s is one instant", (local, zone, at) => expect(instantOf({ local, zone })).toEqual(new Date(at)));

test.each([
  ["2027-03-28T01:30", "Europe/London", "skipped"],
  ["2027-03-28T00:59", "Europe/London", new Date("2027-03-28T00:59:00.000Z")],
  ["2027-03-28T02:00", "Europe/London", new Date("2027-03-28T01:00:00.000Z")],
  ["2026-10-25T01:30", "Europe/London", "twice"],
  ["2026-10-25T02:00", "Europe/London", new Date("2026-10-25T02:00:00.000Z")],
  ["2026-10-04T02:15", "Australia/Lord_Howe", "skipped"], // half an hour
  ["2011-12-30T12:00", "Pacific/Apia", "skipped"], // a whole day
])("around a change of clocks: %s in %s", (local, zone, is) => expect(instantOf({ local, zone })).toEqual(is));

test.each([
  ["2027-02-29T09:00", "UTC", "no_such_time"], ["2026-12-01T24:00", "UTC", "no_such_time"], ["2026-12-01 09:00", "UTC", "no_such_time"], ["", "UTC", "no_such_time"],
  ["2026-12-01T09:00", "Nowhere/There", "unknown_zone"], ["2026-12-01T09:00", "+01:00", "unknown_zone"], ["2026-12-01T09:00", "", "unknown_zone"],
])("%j in %j is no time", (local, zone, fault) => expect(instantOf({ local, zone })).toBe(fault));

test.each([
  ["2026-11-30", "Asia/Tokyo", 0, "2026-11-29T15:00:00.000Z"], ["2026-11-30", "Asia/Tokyo", 1, "2026-11-30T15:00:00.000Z"], ["2026-12-31", "UTC", 1, "2027-01-01T00:00:00.000Z"],
  ["2018-11-04", "America/Sao_Paulo", 0, "2018-11-04T03:00:00.000Z"], // its midnight was skipped
  ["2026-11-01", "America/Havana", 0, "2026-11-01T04:00:00.000Z"], // its midnight came twice
])("%s in %s, and %d days on, begins", (day, zone, plus, at) => expect(startOfDay(day, zone, plus)).toEqual(new Date(at)));

test("what is no day begins never", () => expect([startOfDay("2026-02-30", "UTC"), startOfDay("2026-02-28", "Mars/Base")]).toEqual(["no_such_time", "unknown_zone"]));
