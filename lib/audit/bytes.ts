import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

/** A SHA-256 as 64 lower-case hex digits: what a hash is everywhere in this folder. */
export type Hash = string;

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Base64 of RFC 4648 with its padding. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** null where it is not the one base64 of some bytes: padding, alphabet and unused bits are exact. */
export function fromBase64(text: string): Uint8Array | null {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return null;
  }
  return btoa(binary) === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
}

export const hashToBase64 = (hash: Hash): string => toBase64(hexToBytes(hash));

/** null where it is not the base64 of 32 bytes. */
export function hashFromBase64(text: string): Hash | null {
  const bytes = fromBase64(text);
  return bytes?.length === 32 ? bytesToHex(bytes) : null;
}

/** A decimal integer as the transparency formats write it, without sign and leading zeros, up to 2⁶⁴ − 1; otherwise null. */
export function uint64(text: string): bigint | null {
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(text)) return null;
  const value = BigInt(text);
  return value < 1n << 64n ? value : null;
}
