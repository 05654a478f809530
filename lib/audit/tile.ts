import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { uint64, type Hash } from "./bytes";
import type { Sha256 } from "./leaf";
import { rootOf, type Node } from "./merkle";

// C2SP tlog-tiles: 256 hashes of one level, or 256 entries, in one file.

const WIDTH = 256;
const HEIGHT = 8;

/** `level` counts tiles' levels, each 8 of the tree's; `width` is 256 for a full tile. */
export type Tile = { level: number | "entries"; index: bigint; width: number };

/** `tile/<L>/<N>[.p/<W>]`: the index in groups of three digits, all but the last with an x. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = index.toString();
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g)!;
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level}/${path}${width === WIDTH ? "" : `.p/${width}`}`;
}

/** null where it is not the one path of a tile. */
export function readTilePath(path: string): Tile | null {
  const [, level, groups, partial] = /^tile\/([0-7]|entries)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/.exec(path) ?? [];
  if (level === undefined) return null;
  const index = uint64(groups!.replaceAll(/[x/]/g, "").replace(/^0+(?=.)/, ""));
  const width = partial === undefined ? WIDTH : Number(partial);
  if (index === null || width > WIDTH) return null;
  const tile: Tile = { level: level === "entries" ? level : Number(level), index, width };
  return tilePath(tile) === path ? tile : null;
}

/** How much of a tile there is in a tree of `size`: 0 to 256. */
export function tileWidth(level: Tile["level"], index: bigint, size: bigint): number {
  const nodes = level === "entries" ? size : size >> BigInt(HEIGHT * level);
  const left = nodes - index * BigInt(WIDTH);
  return left <= 0n ? 0 : left >= BigInt(WIDTH) ? WIDTH : Number(left);
}

/** The tree's nodes that a tile of hashes holds, in order. */
export const tileNodes = ({ level, index, width }: Tile & { level: number }): Node[] =>
  Array.from({ length: width }, (_, at) => ({ level: HEIGHT * level, index: index * BigInt(WIDTH) + BigInt(at) }));

/** The tile that a node of a tree of `size` is read from, and its hash once the tile is there. */
export function tileOf({ level, index }: Node, size: bigint): { tile: Tile & { level: number }; hash: (sha256: Sha256, tile: readonly Hash[]) => Hash } {
  const above = level % HEIGHT;
  const first = index << BigInt(above);
  const at = Number(first % BigInt(WIDTH));
  const tile = { level: Math.floor(level / HEIGHT), index: first / BigInt(WIDTH) };
  return {
    tile: { ...tile, width: tileWidth(tile.level, tile.index, size) },
    hash: (sha256, hashes) => subtree(sha256, hashes.slice(at, at + (1 << above))),
  };
}

/** The root over a power of two of hashes. */
function subtree(sha256: Sha256, hashes: readonly Hash[]): Hash {
  let row = hashes;
  while (row.length > 1) row = Array.from({ length: row.length / 2 }, (_, at) => rootOf(sha256, row.slice(2 * at, 2 * at + 2)));
  return row[0]!;
}

export const writeTile = (hashes: readonly Hash[]): Uint8Array => hexToBytes(hashes.join(""));

/** null where it is not whole hashes, 1 to 256 of them. */
export function readTile(bytes: Uint8Array): Hash[] | null {
  const width = bytes.length / 32;
  if (!Number.isInteger(width) || width < 1 || width > WIDTH) return null;
  return Array.from({ length: width }, (_, at) => bytesToHex(bytes.subarray(32 * at, 32 * at + 32)));
}

/** An entry bundle: each entry's exact bytes after their length as two bytes, the higher first. */
export function writeEntryTile(entries: readonly string[]): Uint8Array {
  return concatBytes(...entries.flatMap((entry) => {
    const bytes = utf8ToBytes(entry);
    return [Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes];
  }));
}

/** The entries' bytes; null where it does not end with an entry, or has none or more than 256. */
export function readEntryTile(bytes: Uint8Array): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const end = at + 2 + (bytes[at]! << 8) + bytes[at + 1]!;
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return at === bytes.length && entries.length > 0 && entries.length <= WIDTH ? entries : null;
}
