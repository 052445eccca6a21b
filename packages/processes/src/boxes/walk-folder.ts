import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

/** Entries that are looked at before others get their turn: some milliseconds. */
const ENTRIES_AT_ONCE = 1_000;
/** Folders deeper than this are not entered. */
const MAX_DEPTH = 32;

/** One name below the folder that is walked. */
export interface WalkedEntry {
  /** Components below that folder, its own name last. A name that is no text has U+FFFD in it. */
  readonly names: readonly string[];
  /** The last of them as bytes. */
  readonly bytes: Buffer;
  readonly kind: 'folder' | 'link' | 'other';
}

/**
 * Looks at the names below a folder, those nearest to its top first, without following links. Only names are told:
 * whoever opens one must find out anew what it is.
 *
 * @param visit says whether a folder is to be entered
 * @param maxEntries after so many it ends
 * @returns true if all that was to be entered was looked at
 */
export async function walkFolder(
  folder: string,
  visit: (entry: WalkedEntry) => boolean,
  maxEntries: number,
): Promise<boolean> {
  const queue: (readonly string[])[] = [[]];
  let seen = 0;
  let whole = true;
  // Grows while it is walked: what is nearer to the top is looked at first, if the walk must end early.
  for (const above of queue) {
    const entries = entriesOf([folder, ...above].join('/'));
    for (const entry of entries.slice(0, maxEntries - seen)) {
      const names = [...above, entry.name.toString('utf8')];
      if (!visit({ names, bytes: entry.name, kind: kindOf(entry) }) || !entry.isDirectory()) continue;
      if (canEnter(names, entry.name)) queue.push(names);
      else whole = false;
    }
    if (entries.length > maxEntries - seen) return false;
    if (Math.floor((seen + entries.length) / ENTRIES_AT_ONCE) > Math.floor(seen / ENTRIES_AT_ONCE))
      await setImmediate();
    seen += entries.length;
  }
  return whole;
}

/** A name that is no text can't be put into a path of ours. */
function canEnter(names: readonly string[], name: Buffer): boolean {
  return names.length < MAX_DEPTH && isText(name);
}

/** What the engine can't list, a command of the same user can't either; and what is gone is gone. */
function entriesOf(folder: string): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}

function kindOf(entry: Dirent<Buffer>): WalkedEntry['kind'] {
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function isText(name: Buffer): boolean {
  return Buffer.from(name.toString('utf8')).equals(name);
}
