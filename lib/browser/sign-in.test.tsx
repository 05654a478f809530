import { expect, test } from "vitest";
import { safeCallback } from "./sign-in";

test("a path of this origin is kept", () => {
  expect(safeCallback("/changes/chg-0123456789?view=second#note")).toBe("/changes/chg-0123456789?view=second#note");
});

test("anything that leads elsewhere is not", () => {
  for (const elsewhere of [undefined, "", "changes", "https://evil.example/", "//evil.example", "/\\evil.example", "/\t/evil.example", "javascript:alert(1)", "/..//evil.example"]) {
    expect(safeCallback(elsewhere)).toBe("/changes");
  }
});
