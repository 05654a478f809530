import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ENTRY_TYPES } from "./entry-types";
import { readEntry } from "./entry";
import { FINDING_KINDS } from "./finding";
import { leafHash } from "./leaf";
import { LogCheck } from "./log-check";
import { sha256 } from "./sha256";

const page = readFileSync("docs/format.md", "utf8");

it("docs/format.md names every type and every finding", () => {
  for (const name of [...Object.keys(ENTRY_TYPES), ...FINDING_KINDS]) expect(page).toContain(`\`${name}\``);
});

it("docs/format.md shows entries that verify, with their leaf hashes and a factsDigest", () => {
  const entries = page.split("\n").filter((line) => line.startsWith('{"actor":'));
  const found: string[] = [];
  const check = new LogCheck("undersigned/mer-Qf3kTz81Wm", sha256, (kind) => found.push(kind));
  for (const bytes of entries) {
    expect(readEntry(bytes).fault).toBe(null);
    check.push(bytes);
    expect(page).toContain(`\`${leafHash(sha256, bytes)}\``);
  }
  check.end();
  expect({ found, size: check.size }).toEqual({ found: [], size: 2 });
  const facts = page.split("\n").find((line) => line.startsWith('{"captured":'))!;
  expect(page).toContain(`\`${sha256(facts)}\``);
});
