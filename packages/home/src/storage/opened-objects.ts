import { lstatSync } from 'node:fs';

/** Something that was opened and has another identity by now. */
export interface GoneObject {
  readonly path: string;
  /** Another one stands in its place, so that an engine that starts finds something. */
  readonly replaced: boolean;
}

/**
 * Files and folders as they were when they were opened. One that was deleted, renamed or unmounted goes on taking every write through its
 * open descriptor and keeps none of them; only its path tells.
 */
export class OpenedObjects {
  readonly #known = new Map<string, string>();

  /** @param paths of what is open now */
  constructor(paths: readonly string[]) {
    this.add(paths);
  }

  /** @param paths of what was opened since */
  add(paths: readonly string[]): void {
    for (const path of paths) this.#known.set(path, identityOf(path) ?? '');
  }

  /** A few microseconds. */
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
