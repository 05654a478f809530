import { Refusal } from "../kernel/refusal";
import { parseStrictJson } from "./strict-json";

const LARGEST = 256 * 1024;

/** The JSON body of a request, at most 256 KiB of application/json; undefined where there is none. */
export async function readBody(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Refusal("unsupported_media_type");
  return parseStrictJson(bytes);
}

async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > LARGEST) throw new Refusal("body_too_large");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST) throw new Refusal("body_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
