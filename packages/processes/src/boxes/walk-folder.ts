import type { Dirent } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type FolderListing, listEntries } from './remembered-folders.ts';

/** Entries that are visited before other work gets its turn: some milliseconds. */
const ENTRIES_AT_ONCE = 1_000;
/** Folders deeper than this are not entered. */
const MAX_DEPTH = 32;

/** One name below the visited folder. */
export interface WalkedEntry {
  /** Components below that folder, its own name last. A name that is not UTF-8 contains U+FFFD. */
  readonly names: readonly string[];
  /** The last component as bytes. */
  readonly bytes: Buffer;
  readonly kind: 'folder' | 'link' | 'other';
}

/**
 * Visits the names below a folder, those nearest to its top first, without following links. Reports
 * names only: their kind may change before they are opened.
 *
 * @param visit returns whether to enter a folder
 * @param maxEntries ends after that many
 * @param list gives the entries of a folder, by its absolute path
 * @returns true if all selected entries were visited
 */
export async function walkFolder(
  folder: string,
  visit: (entry: WalkedEntry) => boolean,
  maxEntries: number,
  list: (path: string) => FolderListing = (path) => ({ entries: listEntries(path), others: 0 }),
): Promise<boolean> {
  const queue: (readonly string[])[] = [[]];
  let seen = 0;
  let whole = true;
  // Grows during the walk: entries nearest to the top come first, in case it ends early.
  for (const above of queue) {
    const { entries, others } = list([folder, ...above].join('/'));
    const count = entries.length + others;
    for (const entry of entries.slice(0, maxEntries - seen)) {
      const names = [...above, entry.name.toString('utf8')];
      if (!visit({ names, bytes: entry.name, kind: kindOf(entry) }) || !entry.isDirectory()) continue;
      if (canEnter(names, entry.name)) queue.push(names);
      else whole = false;
    }
    if (count > maxEntries - seen) return false;
    if (Math.floor((seen + count) / ENTRIES_AT_ONCE) > Math.floor(seen / ENTRIES_AT_ONCE))
      await setImmediate();
    seen += count;
  }
  return whole;
}

/** A name that is not UTF-8 can't be part of our paths. */
function canEnter(names: readonly string[], name: Buffer): boolean {
  return names.length < MAX_DEPTH && isText(name);
}

function kindOf(entry: Dirent<Buffer>): WalkedEntry['kind'] {
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function isText(name: Buffer): boolean {
  return Buffer.from(name.toString('utf8')).equals(name);
}
