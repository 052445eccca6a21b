import { type Descriptor, lookAtEntry, objectId } from '@bulkhead/files';
import { folderRefusal, pathRefusal } from '@bulkhead/protocol';
import { type TreeEntry, treeEntries } from './tree-entries.ts';

/** Limit for large folders; installed packages come last. */
const MAX_ENTRIES = 100_000;

/**
 * The files of a working folder that are protected by name, as `objectId` names them: a hard link
 * gives such a file another name (FT13) [A2].
 */
export function linkedCredentials(root: Descriptor): ReadonlySet<string> {
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
  return stat?.isFile() === true ? objectId(stat) : undefined;
}
