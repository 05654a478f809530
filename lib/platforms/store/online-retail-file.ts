import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parseOnlineRetail } from "./online-retail";
import type { Shop } from "./shop";

/** Reads a .csv or .csv.gz, in UTF-8 or, as an older copy of this data has it, in Windows-1252. */
export function readOnlineRetail(path: string): Shop {
  const file = readFileSync(path);
  const bytes = file[0] === 0x1f && file[1] === 0x8b ? gunzipSync(file) : file;
  return parseOnlineRetail(decode(bytes));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
