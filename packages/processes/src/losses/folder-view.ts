import { readSync } from 'node:fs';
import { Descriptor, listNames, openFolderBelow, readLinkEntry } from '@bulkhead/files';
import type { ObservedChange } from '@bulkhead/protocol';

/** Folders that a command changed, and that hold what it wrote. */
export interface ChangedFolders {
  /** Absolute: the working folder, without the changes. */
  readonly work: string;
  /** Absolute: all that the command wrote. */
  readonly upper: string;
}

/**
 * The files of a working folder as they were before a command, or as they would be once its changes are
 * kept. Paths are relative, a character a byte (latin1). Every file is reached through no link.
 */
export class FolderView implements Disposable {
  readonly #work: Descriptor;
  readonly #upper: Descriptor | undefined;
  readonly #changes: ReadonlyMap<string, ObservedChange>;
  readonly #made: ReadonlyMap<string, readonly string[]>;

  private constructor(work: string, upper: string | undefined, changes: readonly ObservedChange[]) {
    this.#work = Descriptor.ofTrustedFolder(work);
    this.#upper = upper === undefined ? undefined : Descriptor.ofTrustedFolder(upper);
    this.#changes = new Map(changes.map((change) => [keyOf(change), change]));
    this.#made = namesByFolder(changes);
  }

  static before({ work }: ChangedFolders): FolderView {
    return new FolderView(work, undefined, []);
  }

  static after({ work, upper }: ChangedFolders, changes: readonly ObservedChange[]): FolderView {
    return new FolderView(work, upper, changes);
  }

  /** Opens a regular file to be read. @returns undefined if there is none, or it can't be opened */
  open(path: string): Descriptor | undefined {
    const place = this.#placeOf(path);
    if (place === undefined) return undefined;
    try {
      using folder = openFolderBelow(place, namesOf(path).slice(0, -1));
      if (folder === undefined) return undefined;
      using node = Descriptor.ofEntry(folder, lastOf(path));
      return node.stat().isFile() ? node.openContent() : undefined;
    } catch {
      return undefined;
    }
  }

  /** The content of a regular file. @returns undefined without one, or if it is longer than `most` */
  read(path: string, most: number): Buffer | undefined {
    using file = this.open(path);
    if (file === undefined) return undefined;
    const size = Number(file.stat().size);
    if (size > most) return undefined;
    const bytes = readAt(file, 0, size);
    return bytes.length === size ? bytes : undefined;
  }

  /** The text of a symbolic link. @returns undefined without one */
  linkText(path: string): Buffer | undefined {
    const place = this.#placeOf(path);
    if (place === undefined) return undefined;
    try {
      using folder = openFolderBelow(place, namesOf(path).slice(0, -1));
      return folder === undefined ? undefined : readLinkEntry(folder, lastOf(path));
    } catch {
      return undefined;
    }
  }

  /** Names in a folder, in no order; none if there is no such folder. */
  names(path: string): readonly string[] {
    const made = this.#made.get(path) ?? [];
    try {
      using folder = openFolderBelow(this.#work, path === '' ? [] : namesOf(path));
      const there = folder === undefined ? [] : listNames(folder).map((name) => name.toString('latin1'));
      const all = new Set([...there, ...made]);
      return [...all].filter((name) => this.#isThere(path === '' ? name : `${path}/${name}`));
    } catch {
      return made;
    }
  }

  #isThere(path: string): boolean {
    return this.#placeOf(path) !== undefined;
  }

  /** The folder that holds what would be at a path. */
  #placeOf(path: string): Descriptor | undefined {
    const change = this.#changes.get(path);
    if (change !== undefined) {
      if (change.what === 'deleted') return undefined;
      return change.what === 'metadata' ? this.#work : this.#upper;
    }
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = this.#changes.get(path.slice(0, end));
      // Everything in a new folder is listed itself.
      if (above !== undefined && above.what !== 'metadata') return undefined;
    }
    return this.#work;
  }

  [Symbol.dispose](): void {
    this.#work[Symbol.dispose]();
    this.#upper?.[Symbol.dispose]();
  }
}

/** Bytes from a place of an open file; fewer at its end. */
export function readAt(file: Descriptor, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let size = 0; size < length; ) {
    const got = readSync(file.fd, bytes, size, length - size, from + size);
    if (got === 0) return bytes.subarray(0, size);
    size += got;
  }
  return bytes;
}

/** The path of a change, a character a byte. */
export function keyOf({ path }: Pick<ObservedChange, 'path'>): string {
  return Buffer.from(path).toString('latin1');
}

function namesByFolder(changes: readonly ObservedChange[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const change of changes) {
    if (change.was !== 'missing') continue;
    const path = keyOf(change);
    const cut = path.lastIndexOf('/');
    const folder = cut < 0 ? '' : path.slice(0, cut);
    const names = folders.get(folder);
    if (names === undefined) folders.set(folder, [path.slice(cut + 1)]);
    else names.push(path.slice(cut + 1));
  }
  return folders;
}

function namesOf(path: string): Buffer[] {
  return path.split('/').map((name) => Buffer.from(name, 'latin1'));
}

function lastOf(path: string): Buffer {
  return Buffer.from(path.slice(path.lastIndexOf('/') + 1), 'latin1');
}
