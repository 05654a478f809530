import { isHash, type Hash } from "./bytes";
import type { Sha256 } from "./leaf";

// The tree of RFC 6962 and RFC 9162, section 2.1. Sizes and indexes are BigInt; a hash is 64 hex digits.

/** The root of the whole subtree of 2^`level` leaves that begins at leaf `index` · 2^`level`. */
export type Node = { level: number; index: bigint };
/** Hashes of nodes that a log has stored, in the same order. */
export type ReadNodes = (nodes: readonly Node[]) => Promise<readonly Hash[]>;
/** Leaves from the first to before the second. */
type Range = readonly [from: bigint, to: bigint];

const pair = new Uint8Array(65);
pair[0] = 1;

/** SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(sha256: Sha256, left: Hash, right: Hash): Hash {
  for (let at = 0; at < 32; at++) {
    pair[at + 1] = (digit(left.charCodeAt(2 * at)) << 4) | digit(left.charCodeAt(2 * at + 1));
    pair[at + 33] = (digit(right.charCodeAt(2 * at)) << 4) | digit(right.charCodeAt(2 * at + 1));
  }
  return sha256(pair);
}
/** Of 0 to 9 and a to f, without a branch. */
const digit = (code: number): number => (code & 15) + 9 * (code >> 6);

/** The whole subtrees that leaves [from, to) are made of, left to right. `from` is where a subtree of that many leaves may begin. */
export function nodesOf([from, to]: Range): Node[] {
  const nodes: Node[] = [];
  for (let left = from; left < to;) {
    const level = (to - left).toString(2).length - 1;
    nodes.push({ level, index: left >> BigInt(level) });
    left += 1n << BigInt(level);
  }
  return nodes;
}

/** The root over subtrees as `nodesOf` lists them; of none, the hash of nothing. */
export const rootOf = (sha256: Sha256, nodes: readonly Hash[]): Hash =>
  nodes.length === 0 ? sha256("") : nodes.reduceRight((right, left) => nodeHash(sha256, left, right));

/** Where a tree over [from, to) parts: the largest power of two smaller than its size. */
const middle = (from: bigint, to: bigint): bigint => from + (1n << BigInt((to - from - 1n).toString(2).length - 1));

/** Proof, leaf to root, that leaf `index` is in the tree of `size`. `index` is less than `size`. */
export const proveInclusion = (sha256: Sha256, index: bigint, size: bigint, read: ReadNodes): Promise<Hash[]> =>
  hashesOf(sha256, inclusionPath(index, 0n, size), read);

/** Proof that the tree of `first` leaves is the beginning of that of `second`; 0 < first ≤ second. */
export const proveConsistency = (sha256: Sha256, first: bigint, second: bigint, read: ReadNodes): Promise<Hash[]> =>
  hashesOf(sha256, consistencyPath(first, 0n, second, true), read);

function inclusionPath(index: bigint, from: bigint, to: bigint): Range[] {
  if (to - from === 1n) return [];
  const half = middle(from, to);
  return index < half ? [...inclusionPath(index, from, half), [half, to]] : [...inclusionPath(index, half, to), [from, half]];
}

function consistencyPath(first: bigint, from: bigint, to: bigint, known: boolean): Range[] {
  if (first === to) return known ? [] : [[from, to]];
  const half = middle(from, to);
  return first <= half
    ? [...consistencyPath(first, from, half, known), [half, to]]
    : [...consistencyPath(first, half, to, false), [from, half]];
}

async function hashesOf(sha256: Sha256, ranges: readonly Range[], read: ReadNodes): Promise<Hash[]> {
  const nodes = ranges.map(nodesOf);
  const hashes = await read(nodes.flat());
  let at = 0;
  return nodes.map(({ length }) => rootOf(sha256, hashes.slice(at, (at += length))));
}

/** RFC 9162, 2.1.3.2. */
export function verifyInclusion(sha256: Sha256, leaf: Hash, index: bigint, size: bigint, proof: readonly Hash[], root: Hash): boolean {
  if (index < 0n || index >= size || ![leaf, ...proof].every(isHash)) return false;
  let [node, last, hash] = [index, size - 1n, leaf];
  for (const step of proof) {
    if (last === 0n) return false;
    if (node & 1n || node === last) {
      hash = nodeHash(sha256, step, hash);
      while (!(node & 1n) && node !== 0n) [node, last] = [node >> 1n, last >> 1n];
    } else hash = nodeHash(sha256, hash, step);
    [node, last] = [node >> 1n, last >> 1n];
  }
  return last === 0n && hash === root;
}

/** RFC 9162, 2.1.4.2: the tree of `first` leaves with `firstRoot` is the beginning of the other. An empty tree proves nothing. */
export function verifyConsistency(sha256: Sha256, first: bigint, firstRoot: Hash, second: bigint, secondRoot: Hash, proof: readonly Hash[]): boolean {
  if (first === second) return proof.length === 0 && firstRoot === secondRoot;
  if (first <= 0n || first > second || proof.length === 0 || !proof.every(isHash)) return false;
  const whole = (first & (first - 1n)) === 0n;
  const [start, ...steps] = whole ? [firstRoot, ...proof] : proof as [Hash, ...Hash[]];
  let [node, last] = [first - 1n, second - 1n];
  while (node & 1n) [node, last] = [node >> 1n, last >> 1n];
  let [older, newer] = [start, start];
  for (const step of steps) {
    if (last === 0n) return false;
    if (node & 1n || node === last) {
      older = nodeHash(sha256, step, older);
      newer = nodeHash(sha256, step, newer);
      while (!(node & 1n) && node !== 0n) [node, last] = [node >> 1n, last >> 1n];
    } else newer = nodeHash(sha256, newer, step);
    [node, last] = [node >> 1n, last >> 1n];
  }
  return last === 0n && older === firstRoot && newer === secondRoot;
}
