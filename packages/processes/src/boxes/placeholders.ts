import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readlinkSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Names that git and Bulkhead obey in a folder. */
const NAMES: readonly string[] = ['.git', '.bulkhead'];

/**
 * Empty folders at the top of a working folder while a live command runs: a missing name can't be
 * made read-only, so the command could create it. Git ignores an empty `.git`.
 *
 * One object for an engine: several commands share a placeholder, and the last one removes it. Each
 * is noted on disk before it is made, so that the next engine removes those of a killed one.
 */
export class Placeholders {
  readonly #notes: string;
  readonly #users = new Map<string, number>();

  /**
   * @param notes absolute folder of the engine's home, made if missing: holds one link for each
   *   existing placeholder, which names it
   */
  constructor(notes: string) {
    this.#notes = notes;
    mkdirSync(notes, { recursive: true, mode: 0o700 });
  }

  /**
   * At start, before any command runs: removes the placeholders of a killed engine. One with
   * content stays.
   */
  recover(): void {
    for (const name of readdirSync(this.#notes)) {
      const note = join(this.#notes, name);
      const path = targetOf(note);
      if (path !== undefined) tryTo(() => rmdirSync(path));
      tryTo(() => unlinkSync(note));
    }
  }

  /**
   * Makes the missing ones. A name that can't be made here, no command of the same user can make
   * either.
   *
   * @param folder absolute
   * @returns absolute paths of the placeholders; disposing removes those that are still empty
   */
  take(folder: string): Disposable & { readonly paths: readonly string[] } {
    const paths = NAMES.map((name) => join(folder, name)).filter(
      (path) => this.#users.has(path) || this.#make(path),
    );
    for (const path of paths) this.#users.set(path, (this.#users.get(path) ?? 0) + 1);
    return { paths, [Symbol.dispose]: () => this.#give(paths) };
  }

  #make(path: string): boolean {
    const note = this.#noteOf(path);
    // Noted first: an unknown placeholder would stay permanently.
    tryTo(() => symlinkSync(path, note));
    const made = tryTo(() => mkdirSync(path, { mode: 0o755 }));
    if (!made) tryTo(() => unlinkSync(note));
    return made;
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
    // It stays if it has content by now.
    tryTo(() => rmdirSync(path));
    tryTo(() => unlinkSync(this.#noteOf(path)));
  }

  #noteOf(path: string): string {
    return join(this.#notes, createHash('sha256').update(path).digest('hex').slice(0, 32));
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function tryTo(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
