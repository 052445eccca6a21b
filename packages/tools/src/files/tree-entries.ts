import type { Dirent } from 'node:fs';
import { Descriptor, listEntries, systemCode } from '@bulkhead/files';
import { MAX_DEPTH } from './trail.ts';

/** An entry found while walking a tree. */
export interface TreeEntry {
  /** Holds the entry; open until the next one is asked for. */
  readonly folder: Descriptor;
  /** Names from the root down to the entry. */
  readonly names: readonly Buffer[];
  readonly entry: Dirent<Buffer>;
}

/** Folders of installed packages: large, and not the user's own files. They come last. */
const BIG_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'site-packages', 'target', '.git']);

/**
 * All entries below a folder, each folder's own before those below it; links are entries and are
 * not followed. Skips entries that can't be opened or vanish.
 *
 * @param limit after this many entries it ends
 */
export function* treeEntries(root: Descriptor, limit: number): Generator<TreeEntry> {
  let count = 0;
  for (const found of entriesBelow(root, [])) {
    count += 1;
    if (count > limit) return;
    yield found;
  }
}

function* entriesBelow(folder: Descriptor, path: readonly Buffer[]): Generator<TreeEntry> {
  const entries = readable(() => listEntries(folder)) ?? [];
  for (const entry of entries) yield { folder, names: [...path, entry.name], entry };
  if (path.length >= MAX_DEPTH) return;
  for (const { name } of entries.filter((entry) => entry.isDirectory()).toSorted(bigOnesLast)) {
    using child = readable(() => Descriptor.ofEntry(folder, name));
    if (child?.stat().isDirectory() === true) yield* entriesBelow(child, [...path, name]);
  }
}

function bigOnesLast(a: Dirent<Buffer>, b: Dirent<Buffer>): number {
  return Number(BIG_FOLDERS.has(a.name.toString())) - Number(BIG_FOLDERS.has(b.name.toString()));
}

function readable<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
