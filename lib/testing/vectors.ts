import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Beside the checkout: published test vectors of other projects, which are not part of this one. */
const VECTORS = "../shared/vectors";

/** A folder of them; null, and said so, where they are not there. */
export function vectorsIn(folder: string): string | null {
  const path = join(VECTORS, folder);
  if (existsSync(path)) return path;
  console.warn(`${path} is missing: these published vectors were not tried`);
  return null;
}

/** Integers of a vector may need all 64 bits: they are given as text. */
export const readVector = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8").replaceAll(/("(?:index|size|start|end|leafIdx|treeSize|size1|size2)":\s*)(\d+)/g, '$1"$2"'));

export const jsonFiles = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
