import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ENTRY_TYPES } from "./entry-types";
import { rootsOf } from "../testing/signed-log";
import { writeCheckpoint } from "./checkpoint";
import { readEntry } from "./entry";
import { FINDING_KINDS } from "./finding";
import { leafHash } from "./leaf";
import { LogCheck } from "./log-check";
import { writeVerifierKey } from "./note";
import { sha256 } from "./sha256";
import { logSigner, signNote } from "./signer";

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

it("docs/format.md shows a checkpoint of these entries, by the key of a known seed", () => {
  const log = "undersigned/mer-Qf3kTz81Wm";
  const root = rootsOf(page.split("\n").filter((line) => line.startsWith('{"actor":'))).at(-1)!;
  const signer = logSigner(new Uint8Array(32), log);
  expect(page).toContain(`\n${signNote(writeCheckpoint({ origin: log, size: 2n, root }), [signer])}\`\`\``);
  expect(page).toContain(`\`${writeVerifierKey(signer.key)}\``);
});
