import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ChangeStory, ONE, OPENING, seal, wholeStory } from "../lib/testing/log-builder";
import { checkpointOf, receiptOf, SIGNER, signedBundle, STRANGER, vkeyOf } from "../lib/testing/signed-log";
import { buildVerifier } from "./build-verifier.mjs";

const folder = mkdtempSync(join(tmpdir(), "verifier-"));
const program = join(folder, "verify.mjs");
const entries = seal(wholeStory().drafts);
const KEY = vkeyOf(SIGNER);

beforeAll(() => buildVerifier(program));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return name;
}
/** The one file, where there is nothing else. */
function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: "utf8", env: { NODE_ENV: "production" } });
  return { status, stdout, stderr };
}

it("verifies a bundle and a receipt by a trusted key: 0, and without one: 3", async () => {
  const bundle = file("log.undersigned.ndjson", await signedBundle(entries));
  const receipt = file("one.undersigned.json", await receiptOf(entries, "chg-Change0000"));
  for (const each of [bundle, receipt]) {
    expect(run(each, "--key", KEY)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Verified in part, not everything is shown: \d+ entries of undersigned\//) as string, stderr: "" });
    expect(run(each)).toMatchObject({ status: 3, stdout: expect.stringMatching(/^Consistent, signer not checked: /) as string });
  }
  expect(JSON.parse(run(bundle, "--key", KEY, "--json").stdout)).toEqual({ ok: true, anchored: true, size: entries.length, findings: [] });
  expect(run(bundle, "--key", vkeyOf(STRANGER), "--key", KEY).status).toBe(0);
});

it("says Verified without more only where everything is shown", async () => {
  const change = new ChangeStory("chg-Change0000");
  const untold = OPENING.filter(({ type }) => type !== "agent.created").map((draft) => ({ ...draft, data: { ...draft.data, profileDigest: undefined } }));
  const bytes = seal([...untold, change.staged(), change.approved(ONE)]);
  expect(run(file("whole", await signedBundle(bytes, { contents: [change.content] })), "--key", KEY).stdout).toMatch(/^Verified: 9 entries of /);
  const withheld = file("withheld", await signedBundle(bytes));
  expect(run(withheld, "--key", KEY)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Verified in part, .*\nNot shown, and so not checked: 1 contents, 0 texts\n$/) as string });
});

it("tells findings: 1", async () => {
  const cut = file("cut", await signedBundle(entries.slice(0, -2)));
  expect(run(cut, "--key", vkeyOf(STRANGER)).stdout).toContain("unknown_key at checkpoint: ");
  for (const older of [file("older-checkpoint", checkpointOf(entries)), file("older-bundle", await signedBundle(entries))]) {
    const { status, stdout } = run(cut, "--key", KEY, "--since", older, "--json");
    expect({ status, ...JSON.parse(stdout) }).toMatchObject({ status: 1, ok: false, anchored: true, findings: [{ kind: "history_rewritten", place: `entry ${entries.length - 2}` }] });
  }
});

it("says what it cannot read: 2", async () => {
  const bundle = file("bundle", await signedBundle(entries));
  for (const args of [[], ["missing"], [file("empty", "")], [file("other", "{}\n")], [file("latin1", Uint8Array.of(0x7b, 0xff))], [bundle, "--key", "mine"], [bundle, "--since", "missing"], [bundle, "--wrong"], [bundle, bundle]]) {
    const { status, stdout, stderr } = run(...args);
    expect({ args, status, stdout, told: stderr.length > 0 && !stderr.includes("    at ") }).toEqual({ args, status: 2, stdout: "", told: true });
  }
});

it("is one file that imports nothing but Node's own", () => {
  const imports = [...readFileSync(program, "utf8").matchAll(/^import .* from "([^"]+)";/gm)].map(([, from]) => from);
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((from) => !from!.startsWith("node:"))).toEqual([]);
});
