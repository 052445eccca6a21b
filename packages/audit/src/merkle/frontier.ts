import { EMPTY_ROOT, nodeHash, type TreeHash } from './tree-hash.ts';

/**
 * The right edge of a growing Merkle tree (RFC 9162, 2.1): the roots of its full subtrees, largest
 * first, one for each bit of its size. Adding a leaf takes one hash on average, and 2 to the power
 * of n leaves need n hashes of memory.
 */
export class Frontier {
  #size: number;
  readonly #roots: TreeHash[];

  /** @param roots of the full subtrees, as `roots` gives them; one for each bit of `size` */
  constructor(size = 0, roots: readonly TreeHash[] = []) {
    if (!Number.isSafeInteger(size) || size < 0 || roots.length !== ones(size)) {
      throw new RangeError(`a tree of ${size} leaves does not have ${roots.length} subtrees`);
    }
    this.#size = size;
    this.#roots = [...roots];
  }

  get size(): number {
    return this.#size;
  }

  get roots(): readonly TreeHash[] {
    return [...this.#roots];
  }

  append(leaf: TreeHash): void {
    let node = leaf;
    // Each low bit that is set has a full subtree of the same height to the left.
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) {
      node = nodeHash(this.#roots.pop() ?? '', node);
    }
    this.#roots.push(node);
    this.#size += 1;
  }

  root(): TreeHash {
    const last = this.#roots.at(-1);
    if (last === undefined) return EMPTY_ROOT;
    return this.#roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
  }
}

function ones(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}
