import { createReadStream, openSync, readFileSync, readSync } from "node:fs";
import { parseArgs } from "node:util";
import { splitLines, Unreadable } from "../lib/audit/bundle";
import { isReceipt, verifyReceipt } from "../lib/audit/receipt";
import { sha256 } from "../lib/audit/sha256";
import { readSince } from "../lib/audit/since";
import { verify, type Verification } from "../lib/audit/verify";

// Checks a bundle or a receipt with nothing but the file and a trusted key. Exit codes: 0 verified, 1 findings, 2 unreadable, 3 not anchored.

const USAGE = `node verify.mjs FILE [--key VKEY] [--since OLD] [--json]
  FILE    a bundle (*.undersigned.ndjson) or a receipt (*.undersigned.json)
  --key   a verifier key that you trust, name+hash+key; may be given more than once
  --since an older bundle, receipt or checkpoint that must still hold
  --json  prints {"ok","anchored","size","findings"}`;

async function main(): Promise<number> {
  const { file, keys, since, json } = readArguments();
  const trust = { keys, ...(since !== undefined && { since: await readSince(splitLines(createReadStream(since)), sha256) }) };
  const result = beginsAsReceipt(file) ? verifyReceipt(decoded(file), sha256, trust) : await verify(splitLines(createReadStream(file)), sha256, trust);
  const { ok, anchored, size, findings } = result;
  console.log(json ? JSON.stringify({ ok, anchored, size, findings }) : inWords(result));
  return !ok ? 1 : anchored ? 0 : 3;
}

function readArguments(): { file: string; keys: string[]; since: string | undefined; json: boolean } {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: "string", multiple: true }, since: { type: "string" }, json: { type: "boolean" } } });
    if (positionals.length === 1) return { file: positionals[0]!, keys: values.key ?? [], since: values.since, json: values.json ?? false };
  } catch { /* told below */ }
  throw new Unreadable(USAGE);
}

function beginsAsReceipt(file: string): boolean {
  const begin = Buffer.alloc(100);
  return isReceipt(begin.toString("utf8", 0, readSync(openSync(file, "r"), begin)));
}

function decoded(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch {
    throw new Unreadable("The file is not UTF-8");
  }
}

function inWords({ ok, anchored, log, size, findings, notices, withheld, checkpoint }: Verification): string {
  const part = withheld.contents + withheld.texts > 0;
  const verdict = !ok ? `${findings.length} findings` : !anchored ? "Consistent, signer not checked" : part ? "Verified in part, not everything is shown" : "Verified";
  return [
    `${verdict}: ${size} entries of ${log}`,
    ...findings.map(({ kind, place, detail }) => `${kind} at ${place}: ${detail}`),
    ...notices.map(({ type, entries, first }) => `Notice: ${entries} entries of a type that is not known here, ${type}, from ${first} on`),
    ...(part ? [`Not shown, and so not checked: ${withheld.contents} contents, ${withheld.texts} texts`] : []),
    ...(ok && !anchored ? [`The file agrees with itself. ${checkpoint ? "Give a key that you trust with --key, to know who signed it." : "It carries no signed checkpoint, so no key can tell who wrote it; --since holds it against one that you kept."}`] : []),
  ].join("\n");
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof Unreadable) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  console.error((error as Error).message);
  return 2;
});
