import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { fromBase64, toBase64 } from "./bytes";
import { publicKeyOf, signEd25519 } from "./ed25519";
import { verifierKey, type VerifierKey } from "./note";

export type Signer = { key: VerifierKey; sign: (text: string) => Uint8Array };

function signer(name: string, secret: Uint8Array): Signer {
  return { key: verifierKey(name, publicKeyOf(secret)), sign: (text) => signEd25519(secret, utf8ToBytes(text)) };
}

/** The instance's seed (UNDERSIGNED_LOG_SEED): 64 hex digits, 32 random bytes. null for anything else. */
export const readSeed = (text: string): Uint8Array | null => (/^[0-9a-f]{64}$/.test(text) ? hexToBytes(text) : null);

/** The key of one log: HKDF-SHA256 of the seed without salt, with `undersigned-log-key/1 ` and the log's id as its info. Its name is the log's id. */
export const logSigner = (seed: Uint8Array, log: string): Signer => signer(log, hkdf(sha256, seed, undefined, utf8ToBytes(`undersigned-log-key/1 ${log}`), 32));

/** `PRIVATE+KEY+name+hash+key`, as other tools keep it. null where it is none. */
export function readSignerKey(text: string): Signer | null {
  const [, name, hash, encoded] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/u.exec(text) ?? [];
  const typed = encoded === undefined ? null : fromBase64(encoded);
  if (typed?.length !== 33 || typed[0] !== 1) return null;
  const found = signer(name!, typed.subarray(1));
  return found.key.hash === hash ? found : null;
}

/** A signed note. `text` ends in a newline. */
export function signNote(text: string, signers: readonly Signer[]): string {
  const lines = signers.map(({ key, sign }) => `\u2014 ${key.name} ${toBase64(concatBytes(hexToBytes(key.hash), sign(text)))}\n`);
  return `${text}\n${lines.join("")}`;
}
