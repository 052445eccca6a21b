import type { Dirent } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type FolderListing, listFolder } from './remembered-folders.ts';

/** Entries that are visited before other work gets its turn: some milliseconds. */
const ENTRIES_AT_ONCE = 1_000;
/** The system takes no longer path, in bytes. */
const MAX_PATH_BYTES = 4_095;

/** One name below the visited folder. */
export interface WalkedEntry {
  /** Components below that folder, its own name last. A name that is not UTF-8 contains U+FFFD. */
  readonly names: readonly string[];
  /** The last component as bytes. */
  readonly bytes: Buffer;
  readonly kind: 'folder' | 'link' | 'other';
  /** Absolute: the folder that it is in, a character a byte. */
  readonly above: string;
  /** False if the name of a folder above is not UTF-8: `names` then don't lead to it. */
  readonly isNamed: boolean;
}

/** A folder that is entered. */
interface Entered {
  readonly names: readonly string[];
  /** Absolute, a character a byte. */
  readonly path: string;
  readonly isNamed: boolean;
}

/**
 * Visits the names below a folder, those nearest to its top first, without following links. Reports
 * names only: their kind may change before they are opened.
 *
 * @param visit returns whether to enter a folder
 * @param maxEntries ends after that many
 * @param list gives the entries of a folder, by its absolute path
 * @param tooDeep learns of each selected folder whose absolute path is too long to be entered
 * @returns true if all selected entries were visited, and `names` lead to each of them
 */
export async function walkFolder(
  folder: string,
  visit: (entry: WalkedEntry) => boolean,
  maxEntries: number,
  list: (path: Buffer) => FolderListing = listFolder,
  tooDeep: (path: Buffer) => void = () => {},
): Promise<boolean> {
  const queue: Entered[] = [{ names: [], path: Buffer.from(folder).toString('latin1'), isNamed: true }];
  let seen = 0;
  let whole = true;
  // Grows during the walk: entries nearest to the top come first, in case it ends early.
  for (const above of queue) {
    const { entries, others } = list(Buffer.from(above.path, 'latin1'));
    const count = entries.length + others;
    for (const { names, entry } of visited(above, entries.slice(0, maxEntries - seen), visit)) {
      const path = `${above.path}/${entry.name.toString('latin1')}`;
      const isNamed = above.isNamed && isText(entry.name);
      if (path.length <= MAX_PATH_BYTES) queue.push({ names, path, isNamed });
      else tooDeep(Buffer.from(path, 'latin1'));
      if (!isNamed || path.length > MAX_PATH_BYTES) whole = false;
    }
    if (count > maxEntries - seen) return false;
    if (Math.floor((seen + count) / ENTRIES_AT_ONCE) > Math.floor(seen / ENTRIES_AT_ONCE))
      await setImmediate();
    seen += count;
  }
  return whole;
}

/** The folders among the entries that are to be entered. */
function* visited(
  { names: above, path, isNamed }: Entered,
  entries: readonly Dirent<Buffer>[],
  visit: (entry: WalkedEntry) => boolean,
) {
  for (const entry of entries) {
    const names = [...above, entry.name.toString('utf8')];
    const one = { names, bytes: entry.name, kind: kindOf(entry), above: path, isNamed };
    if (visit(one) && entry.isDirectory()) yield { names, entry };
  }
}

function kindOf(entry: Dirent<Buffer>): WalkedEntry['kind'] {
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** The absolute path of an entry. */
export function walkedPath({ above, bytes }: WalkedEntry): Buffer {
  return Buffer.concat([Buffer.from(`${above}/`, 'latin1'), bytes]);
}

export function isText(name: Buffer): boolean {
  return Buffer.from(name.toString('utf8')).equals(name);
}
