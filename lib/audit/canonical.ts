import { canonicalJson, type Json } from "../kernel/canonical-json";

/** Why a text is not RFC 8785's one form of a value, or its value. */
export function readCanonical(text: string): { value: unknown; fault: null } | { value: null; fault: string } {
  try {
    const value: Json = JSON.parse(text);
    return canonicalJson(value) === text ? { value, fault: null } : { value: null, fault: "is not in canonical form" };
  } catch {
    return { value: null, fault: "is not JSON" };
  }
}
