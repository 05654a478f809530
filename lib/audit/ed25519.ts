import { ed25519 } from "@noble/curves/ed25519.js";

// Not WebCrypto: it is missing where a page came over plain HTTP, and in browsers of two years ago.

/** Whether `signature` is the key's over `message`, strictly as RFC 8032 has it. Hostile input is false, never an exception. */
export function verifyEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}

/** `secret` is the 32 bytes of RFC 8032's private key. */
export const signEd25519 = (secret: Uint8Array, message: Uint8Array): Uint8Array => ed25519.sign(message, secret);
export const publicKeyOf = (secret: Uint8Array): Uint8Array => ed25519.getPublicKey(secret);
