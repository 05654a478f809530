import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REFUSALS } from "./refusal";

test("docs/api.md names every code with its status", () => {
  const rows = readFileSync("docs/api.md", "utf8").split("\n").filter((line) => line.startsWith("| `"));
  const documented = new Map(rows.flatMap((row) => {
    const [, codes, status] = row.split("|").map((cell) => cell.trim());
    return [...codes!.matchAll(/`(\w+)`/g)].map(([, code]) => [code!, Number(status)] as const);
  }).filter(([, status]) => !Number.isNaN(status)));
  for (const [code, { status }] of Object.entries(REFUSALS)) expect(`${code} ${documented.get(code)}`).toBe(`${code} ${status}`);
  for (const code of documented.keys()) expect(REFUSALS).toHaveProperty(code);
});
