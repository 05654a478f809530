import { writeBundle } from "../audit/bundle";
import type { Hash } from "../audit/bytes";
import { writeCheckpoint } from "../audit/checkpoint";
import { leafHash } from "../audit/leaf";
import { proveInclusion } from "../audit/merkle";
import { writeVerifierKey } from "../audit/note";
import { writeReceipt } from "../audit/receipt";
import { sha256 } from "../audit/sha256";
import { logSigner, signNote, type Signer } from "../audit/signer";
import { LOG } from "./log-builder";
import { growTree } from "./tree";

/** The log's own key, and one of somebody who has no business with it. */
export const SIGNER = logSigner(new Uint8Array(32).fill(1), LOG);
export const STRANGER = logSigner(new Uint8Array(32).fill(2), LOG);
export const vkeyOf = ({ key }: Signer): string => writeVerifierKey(key);

export const rootsOf = (entries: readonly string[]): Hash[] => growTree(entries.map((entry) => leafHash(sha256, entry))).roots;

/** A signed checkpoint of these entries. */
export function checkpointOf(entries: readonly string[], signers: readonly Signer[] = [SIGNER], wrong: { origin?: string; size?: bigint; root?: Hash } = {}): string {
  return signNote(writeCheckpoint({ origin: LOG, size: BigInt(entries.length), root: rootsOf(entries).at(-1)!, ...wrong }), signers);
}

/** A whole file of a signed bundle. */
export async function signedBundle(entries: readonly string[], wrong: Partial<Parameters<typeof writeBundle>[0]> = {}): Promise<string> {
  let file = "";
  for await (const line of writeBundle({ log: LOG, size: entries.length, keys: [vkeyOf(SIGNER)], entries, contents: [], texts: [], checkpoint: checkpointOf(entries), ...wrong })) file += line;
  return file;
}

/** The receipt of a change in a log of these entries. */
export async function receiptOf(entries: readonly string[], change: string, wrong: Partial<Parameters<typeof writeReceipt>[0]> = {}): Promise<string> {
  const { read } = growTree(entries.map((entry) => leafHash(sha256, entry)));
  const own = entries.flatMap((entry, index) => ((JSON.parse(entry) as { subject: string }).subject === change ? [{ entry, index }] : []));
  const proven = await Promise.all(own.map(async (each) => ({ ...each, proof: await proveInclusion(sha256, BigInt(each.index), BigInt(entries.length), read) })));
  return writeReceipt({ log: LOG, content: null, entries: proven, texts: [], checkpoint: checkpointOf(entries), keys: [vkeyOf(SIGNER)], ...wrong });
}
