import { expect, test } from "vitest";
import { paraph } from "./paraph";

const MAYA = "13a37e89af2d5a2845c30c1e895ca8cab6042c628d5e5aae844e10c0a96a25e8";

test("one hash gives one stroke, as on every receipt", () => {
  expect(paraph(MAYA)).toBe(
    "M6 4C6.5 8.6 5.2 24.2 8 24C10.8 23.8 16.6 3.2 18 3C19.4 2.8 11.2 21.4 14 23C16.8 24.6 25.2 10.9 30 10C34.8 9.1 31.1 18.3 35 19" +
      "C38.9 19.7 42.9 13.2 47 13C51.1 12.8 46.6 17.3 53 18C59.4 18.7 69.9 16.5 75 16M16 27Q45.5 31 89 23",
  );
});

test("another hash gives another stroke", () => {
  expect(paraph(MAYA.replace("13a37e89", "13a37f89"))).not.toBe(paraph(MAYA));
});

test("without a whole hash there is no stroke", () => {
  for (const hash of ["", "13a3", `${MAYA.slice(2)}zz`]) expect(() => paraph(hash)).toThrow("64 hex digits");
});
