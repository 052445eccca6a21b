import type { BigIntStats } from 'node:fs';
import {
  Descriptor,
  failed,
  fileError,
  flushEntries,
  listEntries,
  makeFolderEntry,
  openFolderBelow,
  replaceFile,
  shownName,
  systemCode,
} from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import { type MemoryPath, memoryPath } from './memory-path.ts';

/** Most bytes read of a file for a change. */
export const MAX_CHANGED_BYTES = 16 * 1024 * 1024;

/** Most entries, and greatest depth. */
const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 8;

/** A memory file in its current state. */
export interface ProfileFile extends MemoryPath {
  /** Below the profile's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Differs after a change, as far as the file system shows it. */
  readonly version: string;
}

export interface ProfileListing {
  /** By path. */
  readonly files: readonly ProfileFile[];
  /**
   * Entries with a name of memory that can't be used, and why: links, folders, devices. One
   * sentence each.
   */
  readonly problems: readonly string[];
}

/** A file read for a change. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly stat: BigIntStats;
}

/**
 * The memory of a profile as files. Each is opened from the profile folder, one name at a time,
 * following no link: a link can't redirect memory. If the folder is missing, there are no files.
 */
export class ProfileFiles {
  readonly #root: string;
  readonly #nonce: () => string;

  /**
   * @param root the profile's folder, absolute
   * @param nonce 16 or more random hex digits, for names of temporary files
   */
  constructor(root: string, nonce: () => string) {
    this.#root = root;
    this.#nonce = nonce;
  }

  get root(): string {
    return this.#root;
  }

  list(): ProfileListing {
    using root = this.#open();
    if (root === undefined) return { files: [], problems: [] };
    const found: Found = { files: [], problems: [], left: MAX_ENTRIES };
    walk(root, '', 0, found);
    if (found.left <= 0) found.problems.push(`more than ${MAX_ENTRIES} files: the rest is left out`);
    return { files: found.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), problems: found.problems };
  }

  /**
   * @param most bytes; a longer file is truncated
   * @returns undefined if the file does not exist
   * @throws BulkheadError `tool_failed` for anything but a plain file
   */
  read(path: string, most: number): (ReadFile & { readonly isCut: boolean }) | undefined {
    using file = this.#openFile(path);
    if (file === undefined) return undefined;
    try {
      using content = file.openContent();
      const stat = content.stat();
      const bytes = content.readUpTo(most);
      if (bytes !== undefined) return { bytes, stat, isCut: false };
      return { bytes: content.readPart(most), stat, isCut: true };
    } catch (error) {
      throw fileError(error, path);
    }
  }

  /** As `read`, for a change: refuses a file that is too large to change safely. */
  readWhole(path: string): ReadFile | undefined {
    const read = this.read(path, MAX_CHANGED_BYTES);
    if (read?.isCut !== true) return read;
    throw new BulkheadError(
      'tool_failed',
      `${path} is larger than ${MAX_CHANGED_BYTES / 1024 / 1024} MiB: too large to be added to`,
      {
        fix: 'Move older parts of it to files in knowledge/.',
      },
    );
  }

  /**
   * Writes a file completely, or not at all.
   *
   * @param before the content read earlier; undefined: no file existed
   * @throws BulkheadError `tool_failed` if the file has changed since: no data is lost then
   */
  replace(path: string, content: Uint8Array, before: ReadFile | undefined): void {
    const kind = memoryPath(path);
    if (kind === undefined || kind.isConflict) throw failed(path, 'is no file that memory is written to');
    const names = path.split('/').map((name) => Buffer.from(name));
    const name = names.pop();
    using root = this.#open();
    if (root === undefined || name === undefined) {
      throw new BulkheadError('not_available', `the folder of the profile is missing: ${this.#root}`, {
        fix: 'Restart the engine: it makes the folder.',
      });
    }
    using folder = madeFolder(root, names, path);
    replaceFile({
      folder,
      name,
      content,
      expected: before?.stat,
      shown: path,
      temporary: Buffer.from(`.bulkhead-${this.#nonce()}.tmp`),
    });
  }

  #open(): Descriptor | undefined {
    try {
      return Descriptor.ofTrustedFolder(this.#root);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw fileError(error, this.#root);
    }
  }

  #openFile(path: string): Descriptor | undefined {
    const names = path.split('/').map((name) => Buffer.from(name));
    const name = names.pop();
    using root = this.#open();
    if (root === undefined || name === undefined) return undefined;
    try {
      using folder = openFolderBelow(root, names);
      if (folder === undefined) return undefined;
      using guard = new DisposableStack();
      const entry = guard.use(Descriptor.ofEntry(folder, name));
      const stat = entry.stat();
      if (!stat.isFile())
        throw failed(path, stat.isSymbolicLink() ? 'is a link; memory follows none' : 'is no file');
      guard.move();
      return entry;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw fileError(error, path);
    }
  }
}

interface Found {
  readonly files: ProfileFile[];
  readonly problems: string[];
  left: number;
}

function walk(folder: Descriptor, prefix: string, depth: number, found: Found): void {
  for (const entry of listEntries(folder)) {
    found.left -= 1;
    if (found.left <= 0) return;
    const path = `${prefix}${entry.name.toString()}`;
    if (isFolderOfMemory(path, depth)) look(folder, entry.name, path, depth, found);
    else if (memoryPath(path) !== undefined) look(folder, entry.name, path, depth, found);
  }
}

function isFolderOfMemory(path: string, depth: number): boolean {
  if (depth >= MAX_DEPTH || path.includes('\ufffd')) return false;
  return (
    path === 'memory' || path === 'knowledge' || /^(?:memory\/\d{6}$|knowledge\/(?!.*\/\.)[^.])/u.test(path)
  );
}

function look(folder: Descriptor, name: Buffer, path: string, depth: number, found: Found): void {
  try {
    using entry = Descriptor.ofEntry(folder, name);
    const stat = entry.stat();
    const kind = memoryPath(path);
    if (stat.isDirectory()) {
      if (isFolderOfMemory(path, depth)) walk(entry, `${path}/`, depth + 1, found);
      return;
    }
    if (stat.isFile() && kind !== undefined) found.files.push(describe(path, kind, stat));
    else if (kind !== undefined || stat.isSymbolicLink()) {
      const reason = stat.isSymbolicLink() ? 'is a link, and memory follows none' : 'is no file';
      found.problems.push(`${shownName(Buffer.from(path))} ${reason}: it is left out`);
    }
  } catch (error) {
    // Removed meanwhile, or not readable.
    if (systemCode(error) !== 'ENOENT') found.problems.push(fileError(error, path).message);
  }
}

function describe(path: string, kind: MemoryPath, stat: BigIntStats): ProfileFile {
  const version = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join('-');
  return { ...kind, path, bytes: Number(stat.size), modified: Number(stat.mtimeMs), version };
}

/** @throws BulkheadError `tool_failed` if a part of the path is not a folder */
function madeFolder(root: Descriptor, names: readonly Buffer[], shown: string): Descriptor {
  try {
    for (const [at] of names.entries()) {
      using parent = openFolderBelow(root, names.slice(0, at));
      using there = parent === undefined ? undefined : openFolderBelow(parent, names.slice(at, at + 1));
      const name = names[at];
      if (there !== undefined || parent === undefined || name === undefined) continue;
      makeFolderEntry(parent, name);
      flushEntries(parent);
    }
    const folder = openFolderBelow(root, names);
    if (folder !== undefined) return folder;
  } catch (error) {
    throw fileError(error, shown);
  }
  throw failed(shown, 'a part of the way is no folder');
}
