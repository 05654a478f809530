import type { Hash } from "../audit/bytes";
import { CompactRange } from "../audit/compact-range";
import type { Node, ReadNodes } from "../audit/merkle";
import { sha256 } from "../audit/sha256";

/** A tree with every node that a log would store, and its root at each size. */
export function growTree(leaves: readonly Hash[]): { roots: Hash[]; read: ReadNodes; node: (node: Node) => Hash | undefined } {
  const stored = new Map<string, Hash>();
  const key = ({ level, index }: Node) => `${level}/${index}`;
  const range = new CompactRange(sha256);
  const roots = [range.root()];
  for (const leaf of leaves) {
    range.append(leaf, (node, hash) => stored.set(key(node), hash));
    roots.push(range.root());
  }
  const node = (wanted: Node) => stored.get(key(wanted));
  return { roots, node, read: async (nodes) => nodes.map((wanted) => node(wanted)!) };
}
