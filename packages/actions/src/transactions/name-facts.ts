import { isRebuildableName } from '@bulkhead/processes/transactions/known-places';
import { foldName, mayBeRunLater, nameMatcher, pathRefusal } from '@bulkhead/protocol';

/** The facts of one name, independent of its place in a path. */
export interface NameFact {
  readonly folded: string;
  readonly isGit: boolean;
  /** Bulkhead's own. */
  readonly isOwn: boolean;
  readonly isRebuildable: boolean;
  /** A program may run or obey it automatically: check the list of such files. */
  readonly mayBeRunLater: boolean;
  /**
   * Protection refuses it, as a folder or as a file, so a path with it must be checked as a whole.
   */
  readonly isRefused: boolean;
}

const isGit = nameMatcher(['.git']);
const isOwn = nameMatcher(['.bulkhead', '.bulkhead-scratch']);

/**
 * Caches the facts of names in one judgement: a command that changes twenty thousand files uses few
 * folder names.
 */
export class NameFacts {
  readonly #known = new Map<string, NameFact>();

  of(names: readonly string[]): readonly NameFact[] {
    return names.map((name) => this.#fact(name));
  }

  #fact(name: string): NameFact {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const folded = foldName(name);
    const fact = {
      folded,
      isGit: isGit(name),
      isOwn: isOwn(name),
      isRebuildable: isRebuildableName(folded),
      mayBeRunLater: mayBeRunLater(name),
      isRefused: pathRefusal([name], 'write') !== undefined,
    };
    this.#known.set(name, fact);
    return fact;
  }
}
