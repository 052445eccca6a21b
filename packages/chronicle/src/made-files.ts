import type { Snapshot, SnapshotChange } from './snapshot.ts';

/** Files and contents that are remembered of one session in one folder; with more, nothing counts as made. */
const MAX_FILES = 20_000;
const MAX_CONTENTS = 100_000;
/** Sessions in a folder, the latest ones. */
const MAX_PLACES = 50;

/** A session in a folder. */
export interface MadePlace {
  readonly session: string;
  /** Absolute. */
  readonly folder: string;
}

interface Made {
  /** Contents of files that only commands made, by path. */
  readonly files: Map<string, string>;
  /** Contents that were found in any other file: never made, whatever their copies are called. */
  readonly others: Set<string>;
  isOver: boolean;
}

/**
 * Which files the commands of a session made, and with which content. A file that was there before, or
 * that another tool wrote, is not made; a content that was ever found in such a file is a person's.
 * Known since the engine started: what came before counts as a person's.
 */
export class MadeFiles {
  readonly #places = new Map<string, Made>();

  has(place: MadePlace, path: string, hash: string): boolean {
    const made = this.#places.get(keyOf(place));
    if (made === undefined || made.isOver) return false;
    return made.files.get(path) === hash && !made.others.has(hash);
  }

  /** @param changes with the state that the action left */
  note(
    { session, folder, command }: Pick<Snapshot, 'session' | 'folder' | 'command'>,
    changes: readonly SnapshotChange[],
  ): void {
    const key = keyOf({ session, folder: folder.path });
    const made = this.#places.get(key) ?? { files: new Map(), others: new Set(), isOver: false };
    this.#places.delete(key);
    this.#places.set(key, made);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MAX_PLACES && oldest !== undefined) this.#places.delete(oldest);
    for (const { path, before, after } of changes) {
      const isOwn =
        before.kind === 'missing' || (before.kind === 'file' && made.files.get(path) === before.hash);
      if (before.kind === 'file' && !isOwn) made.others.add(before.hash);
      if (isOwn && command === true && after?.kind === 'file') made.files.set(path, after.hash);
      else made.files.delete(path);
    }
    if (made.files.size <= MAX_FILES && made.others.size <= MAX_CONTENTS) return;
    made.isOver = true;
    made.files.clear();
    made.others.clear();
  }
}

function keyOf({ session, folder }: MadePlace): string {
  return `${session} ${folder}`;
}
