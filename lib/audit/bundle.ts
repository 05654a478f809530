type Lines = AsyncIterable<string> | Iterable<string>;
/** Lines as they are read, many at a time: a promise for each would cost more than to check it. */
export type Batches = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

const BUNDLE_FORMAT = "undersigned-bundle/1";
export type BundleHeader = { format: typeof BUNDLE_FORMAT; log: string; size: number; keys: string[] };

/** What a file cannot be read as at all: a verifier's exit code 2, not a finding. */
export class Unreadable extends Error {
  override name = "Unreadable";
}

type Bundle = { log: string; size: number; keys?: string[]; entries: Lines; contents: Lines; texts: Lines; checkpoint?: string | null };

/**
 * A whole log as the lines of one file, each with its LF: `entries`, `contents` (by staged seq) and `texts` are exact bytes.
 * `checkpoint` is a signed note of that size, `keys` the verifier keys that it names; without them nothing is signed.
 */
export async function* writeBundle(bundle: Bundle): AsyncGenerator<string> {
  const header: BundleHeader = { format: BUNDLE_FORMAT, log: bundle.log, size: bundle.size, keys: bundle.keys ?? [] };
  yield `${JSON.stringify(header)}\n`;
  for await (const entry of bundle.entries) yield `${entry}\n`;
  for await (const content of bundle.contents) yield `{"content":${content}}\n`;
  for await (const text of bundle.texts) yield `{"text":${text}}\n`;
  yield `{"checkpoint":${JSON.stringify(bundle.checkpoint ?? null)}}\n`;
}

export type BundleLine = { kind: "entry" | "content" | "text" | "checkpoint"; bytes: string };

/** What a line after the header is, and the exact bytes that it carries. An entry begins with its `actor`. */
export function readBundleLine(line: string): BundleLine {
  if (line.startsWith('{"a')) return { kind: "entry", bytes: line };
  for (const kind of ["content", "text", "checkpoint"] as const) {
    const start = `{"${kind}":`;
    if (line.startsWith(start) && line.endsWith("}")) return { kind, bytes: line.slice(start.length, -1) };
  }
  return { kind: "entry", bytes: line };
}

export function readHeader(line: string): BundleHeader {
  let header: Partial<BundleHeader> | null = null;
  try {
    header = JSON.parse(line);
  } catch { /* told below, like every other thing that is no header */ }
  if (header?.format !== BUNDLE_FORMAT || typeof header.log !== "string" || !Number.isSafeInteger(header.size) || !Array.isArray(header.keys)) {
    throw new Unreadable(`The first line is not the header of an ${BUNDLE_FORMAT} file`);
  }
  return header as BundleHeader;
}

/** A file's lines, without their LF. Throws Unreadable where it is not UTF-8: a lenient decoder would let changed bytes pass. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decode(decoder, chunk)).split("\n");
    rest = lines.pop()!;
    yield lines;
  }
  rest += decode(decoder);
  if (rest !== "") yield [rest];
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new Unreadable("The file is not UTF-8");
  }
}
