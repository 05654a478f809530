import { hash, randomBytes } from "node:crypto";
import { canonicalJson } from "./canonical-json";

/** Lower-case hex SHA-256 of a text's UTF-8 bytes. */
export const sha256Hex = (text: string): string => hash("sha256", text, "hex");

/** 32 hex digits from 16 random bytes. */
export const newSalt = (): string => randomBytes(16).toString("hex");

/** A text of a person, salted so that its digest gives nothing away (DESIGN section 7, "Digested texts"). */
export function digestedText(members: { text: string } | { name: string; email?: string }): { text: string; digest: string } {
  const text = canonicalJson({ salt: newSalt(), ...members });
  return { text, digest: sha256Hex(text) };
}
