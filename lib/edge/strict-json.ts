import { Refusal } from "../kernel/refusal";

const DEEPEST = 32;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

const malformed = (detail: string): never => {
  throw new Refusal("malformed", { detail });
};

/** Parses one JSON text, refusing what parsers disagree on: duplicate members, U+0000, lone surrogates, invalid UTF-8, deep nesting. */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    malformed("The body is not UTF-8");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    malformed("The body is not JSON");
  }
  scan(text);
  return value;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;

/** Walks the tokens of a text that parses, keeping the member names of each open object. */
function scan(text: string): void {
  const open: (Set<string> | null)[] = [];
  let name: string | null = null;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      if (open.length === DEEPEST) malformed(`Nested deeper than ${DEEPEST}`);
      open.push(token === "{" ? new Set() : null);
    } else if (token === "}" || token === "]") open.pop();
    else if (token === ":") addMember(open.at(-1), name!);
    else if (token.startsWith('"')) name = stringOf(token);
  }
}

function addMember(members: Set<string> | null | undefined, name: string): void {
  if (members?.has(name)) malformed("A member stands twice in one object");
  members?.add(name);
}

function stringOf(token: string): string {
  const value = JSON.parse(token) as string;
  if (value.includes("\u0000")) malformed("A string contains U+0000");
  if (LONE_SURROGATE.test(value)) malformed("A string contains half a surrogate pair");
  return value;
}
