import type { Hash } from "./bytes";
import type { Sha256 } from "./leaf";
import { nodeHash, nodesOf, rootOf, type Node } from "./merkle";

/** A tree as far as it is needed to grow: the roots of the whole subtrees at its right edge. It extends without the earlier leaves. */
export class CompactRange {
  private grown = 0n;
  private readonly levels: number[];
  private readonly hashes: Hash[];

  /** `hashes` are those of `nodesOf([0n, from])`; both are left out for an empty tree. */
  constructor(private readonly sha256: Sha256, private readonly from = 0n, hashes: readonly Hash[] = []) {
    this.levels = nodesOf([0n, from]).map(({ level }) => level);
    if (this.levels.length !== hashes.length) throw new Error(`a tree of ${from} has ${this.levels.length} nodes at its edge, not ${hashes.length}`);
    this.hashes = [...hashes];
  }

  get size(): bigint {
    return this.from + this.grown;
  }

  get edge(): readonly Hash[] {
    return this.hashes;
  }

  root(): Hash {
    return rootOf(this.sha256, this.hashes);
  }

  /** `onNode` is told every node that the leaf completes: itself, and those above it. */
  append(leaf: Hash, onNode?: (node: Node, hash: Hash) => void): void {
    const index = this.size;
    let [hash, level] = [leaf, 0];
    onNode?.({ level, index }, hash);
    while (this.levels.at(-1) === level) {
      this.levels.pop();
      hash = nodeHash(this.sha256, this.hashes.pop()!, hash);
      level += 1;
      onNode?.({ level, index: index >> BigInt(level) }, hash);
    }
    this.levels.push(level);
    this.hashes.push(hash);
    this.grown += 1n;
  }
}
