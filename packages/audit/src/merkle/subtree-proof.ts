import { nodeHash, type TreeHash } from './tree-hash.ts';

/** A subtree during the pass: its root, and the hashes of its inside that a proof needs. */
interface Subtree {
  readonly root: TreeHash;
  readonly from: number;
  /** Hashes in place of its root, from left to right; undefined if the root suffices. */
  readonly inside?: readonly TreeHash[];
}

/**
 * Grows a tree and builds a proof about it in one pass, holding only its right edge. A proof is a
 * list of roots of whole subtrees, from left to right: the largest ones without a shown leaf that
 * do not cross the older size. For one leaf these are the hashes of RFC 9162, 2.1.3; for a size, of
 * 2.1.4; here from left to right instead of upwards from the leaf, so that several leaves share
 * them.
 */
export class SubtreeProof {
  readonly #olderSize: number;
  #size = 0;
  #edge: Subtree[] = [];

  /** @param olderSize for a proof that this tree's start has that size; 0 for none */
  constructor(olderSize = 0) {
    this.#olderSize = olderSize;
  }

  /** @param shown true for a leaf in the proof: the verifier has the leaf itself */
  append(leaf: TreeHash, shown: boolean): void {
    let subtree: Subtree = { root: leaf, from: this.#size, ...(shown && { inside: [] }) };
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) {
      const left = this.#edge.pop();
      if (left !== undefined) subtree = this.#join(left, subtree, this.#size + 1);
    }
    this.#edge.push(subtree);
    this.#size += 1;
  }

  /** @returns root and proof of the current tree */
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
