import type { Descriptor } from './descriptor.ts';
import { systemCode } from './file-error.ts';
import { linkEntry, moveEntryOver, removeEntry } from './folder-entries.ts';

/**
 * Moves an entry, no folder, to a name that must be free: a link fails if the name is taken, which a rename would not. File
 * systems without links get the rename.
 *
 * @throws the system's error, `EEXIST` if something has the name
 */
export function giveFreeName(folder: Descriptor, from: Buffer, to: Buffer): void {
  try {
    linkEntry(folder, from, to);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    moveEntryOver(folder, from, to);
    return;
  }
  removeEntry(folder, from);
}

function hasNoLinks(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'EPERM' || code === 'EOPNOTSUPP' || code === 'ENOSYS' || code === 'EACCES';
}
