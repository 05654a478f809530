import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { growTree } from "../testing/tree";
import { vectorsIn } from "../testing/vectors";
import { readCheckpoint } from "./checkpoint";
import { leafHash } from "./leaf";
import { nodesOf, rootOf } from "./merkle";
import { openNote, readNote, readVerifierKey } from "./note";
import { sha256 } from "./sha256";
import { readEntryTile, readTile, readTilePath, tileNodes, tileOf, tilePath, tileWidth, writeEntryTile, writeTile, type Tile } from "./tile";

it.each<[string, Tile]>([
  ["tile/0/000", { level: 0, index: 0n, width: 256 }],
  ["tile/0/000.p/1", { level: 0, index: 0n, width: 1 }],
  ["tile/1/999.p/255", { level: 1, index: 999n, width: 255 }],
  ["tile/entries/x001/000", { level: "entries", index: 1000n, width: 256 }],
  ["tile/2/x001/x234/067.p/8", { level: 2, index: 1234067n, width: 8 }],
  ["tile/0/x018/x446/x744/x073/x709/x551/615", { level: 0, index: (1n << 64n) - 1n, width: 256 }],
])("%s is the path of a tile", (path, tile) => {
  expect(tilePath(tile)).toBe(path);
  expect(readTilePath(path)).toEqual(tile);
});

it.each(["", "tile", "tile/0/0", "tile/0/00", "tile/0/0000", "tile/00/000", "tile/8/000", "tile/-1/000", "tile/data/000", "tile/0/x000/001", "tile/0/001/002", "tile/0/x001", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01",
  "tile/0/000.p/", "tile/0/000.p/1/", "/tile/0/000", "tile/0/000/", "tile/0/x001/x/000", "tile/0/x018/x446/x744/x073/x709/x551/616", "tile/0/000\n"])("%j is no tile", (path) => {
  expect(readTilePath(path)).toBe(null);
});

it("is as wide as the tree reaches", () => {
  const widths = (level: Tile["level"], size: bigint) => [0n, 1n, 2n].map((index) => tileWidth(level, index, size));
  expect(widths(0, 0n)).toEqual([0, 0, 0]);
  expect(widths(0, 256n)).toEqual([256, 0, 0]);
  expect(widths("entries", 300n)).toEqual([256, 44, 0]);
  expect(widths(1, 65_535n)).toEqual([255, 0, 0]);
  expect(widths(1, 131_072n)).toEqual([256, 256, 0]);
});

it("any node is read from the one tile that covers it", () => {
  const size = 700;
  const { roots, node } = growTree(Array.from({ length: size }, (_, at) => leafHash(sha256, `${at}`)));
  fc.assert(fc.property(fc.integer({ min: 1, max: size }), (to) => {
    const hashes = nodesOf([0n, BigInt(to)]).map((wanted) => {
      const { tile, hash } = tileOf(wanted, BigInt(size));
      const stored = tileNodes(tile).map((each) => node(each)!);
      expect(readTile(writeTile(stored))).toEqual(stored);
      expect(hash(sha256, stored)).toBe(node(wanted));
      return hash(sha256, stored);
    });
    expect(rootOf(sha256, hashes)).toBe(roots[to]);
  }), { numRuns: 60 });
});

it("carries entries by their exact bytes", () => {
  const entries = ["one", "", "caf\u00e9", "x".repeat(60_000)];
  expect(readEntryTile(writeEntryTile(entries))!.map((bytes) => new TextDecoder().decode(bytes))).toEqual(entries);
  for (const bad of [[], [0], [0, 2, 1], [0, 1, 1, 0]]) expect(readEntryTile(Uint8Array.from(bad))).toBe(null);
  expect(readEntryTile(writeEntryTile(Array(257).fill("")))).toBe(null);
  for (const bad of [0, 31, 257 * 32]) expect(readTile(new Uint8Array(bad))).toBe(null);
});

it("agrees with a published log of tiles", () => {
  const folder = vectorsIn("tlog-tiles");
  if (!folder) return;
  const key = readVerifierKey(readFileSync(join(folder, "vkey.txt"), "utf8").trim())!;
  const empty = growTree([]).roots[0];
  for (let size = 0; size <= 15; size++) {
    const file = join(folder, `checkpoint.${size}`);
    if (!existsSync(file)) continue;
    const note = readNote(readFileSync(file, "utf8"))!;
    expect(openNote(note, [key]).verified).toEqual([key]);
    const checkpoint = readCheckpoint(note.text)!;
    const width = tileWidth(0, 0n, checkpoint.size);
    const hashes = width === 0 ? [] : readTile(readFileSync(join(folder, tilePath({ level: 0, index: 0n, width }))))!;
    const entries = width === 0 ? [] : readEntryTile(readFileSync(join(folder, tilePath({ level: "entries", index: 0n, width }))))!;
    expect(entries.map((bytes) => leafHash(sha256, new TextDecoder().decode(bytes)))).toEqual(hashes);
    expect({ size, origin: checkpoint.origin, root: checkpoint.root }).toEqual({ size: Number(checkpoint.size), origin: key.name, root: growTree(hashes).roots.at(-1) });
    if (size === 0) expect(checkpoint.root).toBe(empty);
  }
});
