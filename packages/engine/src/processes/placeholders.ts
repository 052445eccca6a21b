import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/** What git and Bulkhead obey in a folder, if it is there. */
const NAMES: readonly string[] = ['.git', '.bulkhead'];

/**
 * Empty folders that stand at the top of a working folder while a command runs that writes it itself: what is not there
 * can't be made read-only, and could be made by the command. Git takes an empty `.git` for none.
 *
 * One object for an engine: several commands share a placeholder, and the last one takes it away.
 */
export class Placeholders {
  readonly #users = new Map<string, number>();

  /**
   * Makes what is missing. What can't be made here, no command of the same user can make either.
   *
   * @param folder absolute
   * @returns absolute paths that stand in for nothing; taken away when disposed, unless something is in them by then
   */
  take(folder: string): Disposable & { readonly paths: readonly string[] } {
    const paths = NAMES.map((name) => join(folder, name)).filter(
      (path) => this.#users.has(path) || isMade(path),
    );
    for (const path of paths) this.#users.set(path, (this.#users.get(path) ?? 0) + 1);
    return { paths, [Symbol.dispose]: () => this.#give(paths) };
  }

  #give(paths: readonly string[]): void {
    for (const path of paths) {
      const left = (this.#users.get(path) ?? 1) - 1;
      if (left > 0) this.#users.set(path, left);
      else this.#remove(path);
    }
  }

  #remove(path: string): void {
    this.#users.delete(path);
    try {
      rmdirSync(path);
    } catch {
      // Somebody uses it by now, or it is gone.
    }
  }
}

function isMade(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o755 });
    return true;
  } catch {
    return false;
  }
}
