import canonicalize from "canonicalize";

/** Values that RFC 8785 serialises here: no floats, no undefined inside arrays. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json | undefined };

/** RFC 8785 (JCS). Members that are undefined are omitted. */
export function canonicalJson(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("not a JSON value");
  return text;
}
