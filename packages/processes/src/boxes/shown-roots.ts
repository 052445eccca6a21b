import { type ClosedPlaces, closedPlaces } from '../paths/closed-places.ts';
import type { GuardedNeighbour } from './guarded-neighbour.ts';
import { findRepositoryRoot, type RepositoryRoot } from './repository-root.ts';

/** Hidden places that the remark names. */
const NAMED = 10;
/** Sessions that are remembered as informed. */
const MAX_SESSIONS = 10_000;

/** The repository or workspace around a working folder, which its commands can read. */
export class ShownRoots {
  readonly #closed: ClosedPlaces;
  readonly #informed = new Set<string>();

  /**
   * @param own Bulkhead's home
   * @param userHome the person's, as the environment names it
   */
  constructor(own: string, userHome: string | undefined) {
    this.#closed = closedPlaces(own, userHome);
  }

  /** Looked for anew at each call: a repository may come or go. */
  of(workingFolder: string): RepositoryRoot | undefined {
    return findRepositoryRoot(workingFolder, this.#closed);
  }

  /** For model and user, a clause for the first command of a session. */
  remarks(
    sessionId: string,
    root: RepositoryRoot | undefined,
    around: GuardedNeighbour | undefined,
  ): readonly string[] {
    if (root === undefined || around === undefined || this.#informed.has(sessionId)) return [];
    if (this.#informed.size >= MAX_SESSIONS) this.#informed.clear();
    this.#informed.add(sessionId);
    const what = `${root.path}, the ${root.kind} around this folder,`;
    if (around.problem !== undefined) return [`${what} can't be read by commands: ${around.problem}`];
    return [`${what} can be read by commands, and not changed${hiddenIn(around.hidden)}`];
  }
}

function hiddenIn(hidden: readonly string[]): string {
  if (hidden.length === 0) return '';
  const more = hidden.length > NAMED ? ` and ${hidden.length - NAMED} more` : '';
  return `; hidden there, as they may hold credentials: ${hidden.slice(0, NAMED).join(', ')}${more}`;
}
