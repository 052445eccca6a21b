import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { systemCode } from '@bulkhead/files';

/** Entries of one folder. */
export interface FolderListing {
  readonly entries: readonly Dirent<Buffer>[];
  /** Number of further entries, which no visitor asks about. */
  readonly others: number;
  /** True if it exists and this user may not list it. */
  readonly isClosed?: boolean;
}

/** A folder that changed less than this long ago is read again: times of file systems are coarse. */
const SETTLED_MS = 3_000;
/** Folders; with more, all are read again. */
const MAX_FOLDERS = 200_000;

/**
 * Lists folders, and remembers of each the entries that matter, until its times say that a name in it
 * changed: so a large tree is read once, and later only looked at. No program can set the change time of a
 * folder, and a name that comes or goes always moves it.
 */
export class RememberedFolders {
  readonly #matters: (entry: Dirent<Buffer>) => boolean;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly stamp: string; readonly listing: FolderListing }>();

  /**
   * @param matters of an entry's name and kind alone
   * @param now the wall clock, in milliseconds since 1970
   */
  constructor(matters: (entry: Dirent<Buffer>) => boolean, now: () => number = () => Date.now()) {
    this.#matters = matters;
    this.#now = now;
  }

  /** @param path absolute; a missing or closed folder has no entries */
  list(path: Buffer): FolderListing {
    const key = path.toString('latin1');
    const stat = look(path);
    const known = this.#known.get(key);
    if (stat !== undefined && known?.stamp === stampOf(stat)) return known.listing;
    const all = listFolder(path);
    const entries = all.entries.filter(this.#matters);
    const listing = { ...all, entries, others: all.entries.length - entries.length };
    const now = look(path);
    this.#known.delete(key);
    if (stat !== undefined && now !== undefined && stampOf(stat) === stampOf(now) && this.#isSettled(stat)) {
      if (this.#known.size >= MAX_FOLDERS) this.#known.clear();
      this.#known.set(key, { stamp: stampOf(stat), listing });
    }
    return listing;
  }

  #isSettled({ ctimeNs }: BigIntStats): boolean {
    return this.#now() - Number(ctimeNs / 1_000_000n) > SETTLED_MS;
  }
}

/** All entries of a folder; none if it is gone. */
export function listFolder(folder: Buffer): FolderListing {
  try {
    return { entries: readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }), others: 0 };
  } catch (error) {
    return { entries: [], others: 0, isClosed: systemCode(error) === 'EACCES' };
  }
}

function look(path: Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function stampOf({ dev, ino, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return `${dev} ${ino} ${mtimeNs} ${ctimeNs} ${mode}`;
}
