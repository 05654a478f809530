import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growTree } from "../testing/tree";
import { jsonFiles, readVector, vectorsIn } from "../testing/vectors";
import { fromBase64, type Hash } from "./bytes";
import { CompactRange } from "./compact-range";
import { leafHash } from "./leaf";
import { nodesOf, proveConsistency, proveInclusion, rootOf, verifyConsistency, verifyInclusion } from "./merkle";
import { sha256 } from "./sha256";

const hex = (text: string) => Buffer.from(text, "hex");
const leafOf = (bytes: Buffer): Hash => sha256(Buffer.concat([Buffer.of(0), bytes]));

/** The tree of RFC 6962's reference implementation: inputs, and the root of the first 0 to 8 of them. */
const INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const ROOTS = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const leaves = INPUTS.map((input) => leafOf(hex(input)));
const tree = growTree(leaves);

describe("the tree of RFC 6962", () => {
  it("has the known roots", () => {
    expect(tree.roots).toEqual(ROOTS);
    expect(leafHash(sha256, "\u0000")).toBe(leafOf(hex("00")));
  });

  it("has the known proofs", async () => {
    expect(await proveInclusion(sha256, 0n, 1n, tree.read)).toEqual([]);
    expect(await proveInclusion(sha256, 5n, 8n, tree.read)).toEqual([
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b", "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
    expect(await proveConsistency(sha256, 6n, 8n, tree.read)).toEqual([
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a", "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
    expect(await proveConsistency(sha256, 4n, 4n, tree.read)).toEqual([]);
  });

  it("answers every proof, and none but the right one holds", async () => {
    const big = growTree(Array.from({ length: 70 }, (_, at) => leafHash(sha256, `entry ${at}`)));
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), async (size, a, b) => {
      const [to, index, first] = [BigInt(size), BigInt(a % size), BigInt(1 + (b % size))];
      const root = big.roots[size]!;
      const leaf = big.node({ level: 0, index })!;
      const inclusion = await proveInclusion(sha256, index, to, big.read);
      expect(verifyInclusion(sha256, leaf, index, to, inclusion, root)).toBe(true);
      const consistency = await proveConsistency(sha256, first, to, big.read);
      expect(verifyConsistency(sha256, first, big.roots[Number(first)]!, to, root, consistency)).toBe(true);
      for (const at of inclusion.keys()) expect(verifyInclusion(sha256, leaf, index, to, inclusion.with(at, root), root)).toBe(false);
      for (const at of consistency.keys()) expect(verifyConsistency(sha256, first, big.roots[Number(first)]!, to, root, consistency.with(at, leafHash(sha256, "no"))) ).toBe(false);
      expect(verifyInclusion(sha256, leaf, index, to, [...inclusion, root], root)).toBe(false);
      expect(verifyInclusion(sha256, leaf, (index + 1n) % to, to, inclusion, root)).toBe(size === 1);
      if (first < to) expect(verifyConsistency(sha256, first, root, to, root, consistency)).toBe(false);
    }), { numRuns: 300 });
  });

  it("refuses what lies outside", () => {
    expect(verifyInclusion(sha256, leaves[0]!, 1n, 1n, [], ROOTS[1]!)).toBe(false);
    expect(verifyInclusion(sha256, leaves[0]!, -1n, 1n, [], ROOTS[1]!)).toBe(false);
    expect(verifyInclusion(sha256, "00", 0n, 1n, [], "00")).toBe(false);
    expect(verifyConsistency(sha256, 0n, ROOTS[0]!, 1n, ROOTS[1]!, [])).toBe(false);
    expect(verifyConsistency(sha256, 2n, ROOTS[2]!, 1n, ROOTS[1]!, [])).toBe(false);
    expect(verifyConsistency(sha256, 0n, ROOTS[0]!, 0n, ROOTS[0]!, [])).toBe(true);
  });
});

describe("a compact range", () => {
  it("goes on from the nodes at its edge alone, whatever the sizes", async () => {
    for (let from = 0; from <= 8; from++) {
      const edge = await tree.read(nodesOf([0n, BigInt(from)]));
      expect(rootOf(sha256, edge)).toBe(ROOTS[from]);
      const range = new CompactRange(sha256, BigInt(from), edge);
      for (const leaf of leaves.slice(from)) range.append(leaf);
      expect({ size: range.size, root: range.root(), edge: range.edge.length }).toEqual({ size: 8n, root: ROOTS[8], edge: 1 });
    }
  });

  it("tells each node once, those of a tree of 2\u2076\u00b3 too", () => {
    const told: string[] = [];
    const range = new CompactRange(sha256, 6n, [tree.node({ level: 2, index: 0n })!, tree.node({ level: 1, index: 2n })!]);
    range.append(leaves[6]!, ({ level, index }) => told.push(`${level}/${index}`));
    range.append(leaves[7]!, ({ level, index }) => told.push(`${level}/${index}`));
    expect(told).toEqual(["0/6", "0/7", "1/3", "2/1", "3/0"]);
    const vast = new CompactRange(sha256, 1n << 63n, [ROOTS[8]!]);
    vast.append(leaves[0]!, ({ level, index }) => told.push(`${level}/${index}`));
    expect([told.at(-1), vast.size]).toEqual([`0/${1n << 63n}`, (1n << 63n) + 1n]);
    expect(() => new CompactRange(sha256, 6n, [ROOTS[8]!])).toThrow("a tree of 6 has 2 nodes at its edge, not 1");
  });
});

type Inclusion = { leafIdx: string; treeSize: string; root: string; leafHash: string; proof: string[] | null; desc: string; wantErr: boolean };
type Consistency = { size1: string; size2: string; root1: string; root2: string; proof: string[] | null; desc: string; wantErr: boolean };

it("agrees with the published vectors of transparency-dev/merkle", () => {
  const folder = vectorsIn("merkle");
  if (!folder) return;
  const asHash = (base64: string) => Buffer.from(base64, "base64").toString("hex");
  expect(fromBase64("AA==")).toEqual(Uint8Array.of(0));
  for (const file of jsonFiles(join(folder, "inclusion"))) {
    const { leafIdx, treeSize, root, leafHash: leaf, proof, wantErr } = readVector<Inclusion>(file);
    expect({ file, ok: verifyInclusion(sha256, asHash(leaf), BigInt(leafIdx), BigInt(treeSize), (proof ?? []).map(asHash), asHash(root)) }).toEqual({ file, ok: !wantErr });
  }
  for (const file of jsonFiles(join(folder, "consistency"))) {
    const { size1, size2, root1, root2, proof, wantErr } = readVector<Consistency>(file);
    expect({ file, ok: verifyConsistency(sha256, BigInt(size1), asHash(root1), BigInt(size2), asHash(root2), (proof ?? []).map(asHash)) }).toEqual({ file, ok: !wantErr });
  }
  const reference = readVector<{ roots_hex_by_size: Hash[]; node_hashes_hex: Record<string, Hash[]> }>(join(folder, "rfc6962_reference_tree.json"));
  expect(reference.roots_hex_by_size).toEqual(ROOTS);
  for (const [level, hashes] of Object.entries(reference.node_hashes_hex)) {
    expect(hashes.map((_, at) => tree.node({ level: Number(level.replace("level", "")), index: BigInt(at) }))).toEqual(hashes);
  }
});
