import type { Frontier } from '../merkle/frontier.ts';
import type { TreeHash } from '../merkle/tree-hash.ts';
import type { BadEntry } from './audit-verification.ts';

/** A signed root of the tree at a size, and its source. */
export interface ExpectedRoot {
  readonly size: number;
  readonly root: TreeHash;
  /** A file of checkpoints, or a witness. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Compares a growing tree with its signed roots. */
export class ExpectedRoots {
  #waiting: readonly ExpectedRoot[] = [];
  #next = 0;
  #agreed = 0;
  #differing: BadEntry | undefined;

  /** @param roots of the tree's current size or later ones */
  expect(roots: readonly ExpectedRoot[]): void {
    const all = [...this.#waiting.slice(this.#next), ...roots];
    this.#waiting = all.sort((a, b) => a.size - b.size);
    this.#next = 0;
  }

  /** Call it for each size. */
  compare(tree: Frontier): void {
    for (; this.#waiting[this.#next]?.size === tree.size; this.#next += 1) {
      const expected = this.#waiting[this.#next];
      if (expected === undefined || this.#differing !== undefined) continue;
      if (expected.root === tree.root()) this.#agreed = tree.size;
      else this.#differing = this.#differs(expected);
    }
  }

  /** The first root that differs from the tree's. */
  get differing(): BadEntry | undefined {
    return this.#differing;
  }

  /** The first root of a size that the tree did not reach. */
  get unreached(): ExpectedRoot | undefined {
    return this.#waiting[this.#next];
  }

  #differs({ file, line, size }: ExpectedRoot): BadEntry {
    const from = this.#agreed + 1;
    const which = from === size ? `entry ${size} is not the one` : `entries ${from} to ${size} are not those`;
    return { file, line, n: from, reason: `${which} that this checkpoint was signed over` };
  }
}
