import type { BigIntStats } from 'node:fs';
import { type Descriptor, lookAtEntry, objectId } from '@bulkhead/files';
import { folderRefusal, pathRefusal } from '@bulkhead/protocol';
import { type TreeEntry, treeEntries } from './tree-entries.ts';

/** A folder bigger than that is looked through only so far, installed packages last. */
const MAX_ENTRIES = 100_000;
/** How long what was found is believed: one search may meet thousands of linked files. */
const BELIEVED_MS = 2_000;

/**
 * The files of a working folder whose names keep them closed, by identity: a hard link gives such a file another name
 * (FT13). Looked for only when a file with several names is about to be read.
 */
export class LinkedCredentials {
  readonly #root: Descriptor;
  readonly #now: () => number;
  #known: ReadonlySet<string> = new Set();
  #since = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(root: Descriptor, now: () => number) {
    this.#root = root;
    this.#now = now;
  }

  /** True if the object also has a name in this folder under which it is not read [A2]. */
  has(stat: BigIntStats): boolean {
    if (stat.nlink < 2n) return false;
    if (this.#now() - this.#since > BELIEVED_MS) {
      this.#known = closedObjects(this.#root);
      this.#since = this.#now();
    }
    return this.#known.has(objectId(stat));
  }
}

function closedObjects(root: Descriptor): ReadonlySet<string> {
  const known = new Set<string>();
  for (const found of treeEntries(root, MAX_ENTRIES)) {
    const id = closedObject(found);
    if (id !== undefined) known.add(id);
  }
  return known;
}

function closedObject({ folder, names, entry }: TreeEntry): string | undefined {
  const texts = names.map((name) => name.toString('utf8'));
  const last = texts.at(-1) ?? '';
  const closed =
    pathRefusal([last], 'read') !== undefined ||
    texts.slice(0, -1).some((name) => folderRefusal(name, 'read') !== undefined);
  if (!closed || entry.isDirectory()) return undefined;
  const stat = lookAtEntry(folder, entry.name);
  return stat?.isFile() === true && stat.nlink > 1n ? objectId(stat) : undefined;
}
