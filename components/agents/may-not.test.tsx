import { describe, expect, test } from "vitest";
import { mayNotWords } from "./may-not";

const people = [
  { personId: "per-ines", name: "Ines Carvalho", decides: true },
  { personId: "per-maya", name: "Maya Lindqvist", decides: true },
  { personId: "per-tom", name: "Tom Adeyemi", decides: true },
  { personId: "per-helen", name: "Helen Marsh", decides: false },
];

describe("who may not approve what a key proposes", () => {
  test("its owner and the viewer who makes it; who is left is named", () => {
    expect(mayNotWords(["per-ines", "per-maya"], people, "per-maya")).toEqual({ mayNot: "Ines Carvalho and you may then not approve what it proposes.", left: "Tom Adeyemi can." });
  });
  test("the viewer alone; an auditor could not anyway", () => {
    expect(mayNotWords(["per-maya"], people, "per-maya")).toEqual({ mayNot: "You may then not approve what it proposes.", left: "Ines Carvalho or Tom Adeyemi can." });
  });
  test("of many who are left, the first are named", () => {
    const many = [...people, ...["Ana", "Bo", "Cleo"].map((name) => ({ personId: `per-${name}`, name, decides: true }))];
    expect(mayNotWords(["per-ines"], many, "per-ines").left).toBe("Maya Lindqvist, Tom Adeyemi, Ana or 2 others can.");
  });
  test("nobody is left", () => {
    expect(mayNotWords(["per-ines", "per-maya", "per-tom"], people, "per-ines").left).toBe("Nobody is left who can: add a member who decides.");
  });
});
