import { nodeHash, type TreeHash } from './tree-hash.ts';

/** A subtree on the way: its root, and what a proof must tell of its inside. */
interface Subtree {
  readonly root: TreeHash;
  readonly from: number;
  /** Hashes in place of its root, from left to right; undefined if the root says enough. */
  readonly inside?: readonly TreeHash[];
}

/**
 * Grows a tree and gathers a proof about it in one pass, holding no more than its right edge. A proof is a list of
 * roots of whole subtrees, from left to right: the largest ones that hold none of the leaves in question and do not
 * lie across the older size. For one leaf these are the hashes of RFC 9162, 2.1.3; for a size, of 2.1.4; here from
 * left to right and not from the leaf up, so that several leaves share them.
 */
export class SubtreeProof {
  readonly #olderSize: number;
  #size = 0;
  #edge: Subtree[] = [];

  /** @param olderSize for a proof that the tree of this size is the start of the whole; 0 for none */
  constructor(olderSize = 0) {
    this.#olderSize = olderSize;
  }

  /** @param shown true for a leaf that the proof is about: who checks it has the leaf itself */
  append(leaf: TreeHash, shown: boolean): void {
    let subtree: Subtree = { root: leaf, from: this.#size, ...(shown && { inside: [] }) };
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) {
      const left = this.#edge.pop();
      if (left !== undefined) subtree = this.#join(left, subtree, this.#size + 1);
    }
    this.#edge.push(subtree);
    this.#size += 1;
  }

  /** @returns root and proof of the tree as it is now */
  finish(): { readonly root: TreeHash; readonly hashes: readonly TreeHash[] } {
    const [first, ...rest] = this.#edge.toReversed();
    if (first === undefined) throw new RangeError('there is no proof about a tree without leaves');
    const whole = rest.reduce((right, left) => this.#join(left, right, this.#size), first);
    return { root: whole.root, hashes: whole.inside ?? [whole.root] };
  }

  #join(left: Subtree, right: Subtree, to: number): Subtree {
    const root = nodeHash(left.root, right.root);
    const across = left.from < this.#olderSize && this.#olderSize < to;
    if (left.inside === undefined && right.inside === undefined && !across) return { root, from: left.from };
    const inside = [...(left.inside ?? [left.root]), ...(right.inside ?? [right.root])];
    return { root, from: left.from, inside };
  }
}
