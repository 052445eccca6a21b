import { lstatSync } from 'node:fs';

/** An opened object whose path has another identity now. */
export interface GoneObject {
  readonly path: string;
  /** Another object is in its place, so that a starting engine finds one. */
  readonly replaced: boolean;
}

/**
 * Identities of files and folders at their opening. One that was deleted, renamed or unmounted
 * accepts every write through its open descriptor and loses it; only its path shows that.
 */
export class OpenedObjects {
  readonly #known = new Map<string, string>();

  /** @param paths of the open objects */
  constructor(paths: readonly string[]) {
    this.add(paths);
  }

  /** @param paths of objects opened since */
  add(paths: readonly string[]): void {
    for (const path of paths) this.#known.set(path, identityOf(path) ?? '');
  }

  /** Takes a few microseconds. */
  gone(): GoneObject | undefined {
    const changed = [...this.#known].filter(([path, identity]) => identityOf(path) !== identity);
    const [first] = changed;
    if (first === undefined) return undefined;
    return { path: first[0], replaced: changed.every(([path]) => identityOf(path) !== undefined) };
  }
}

function identityOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
  } catch {
    // A disk that does not even answer this.
    return undefined;
  }
}
