import type { Descriptor } from '@bulkhead/files';
import { FileSet, refused, shown } from './file-set.ts';
import { type MetFile, walkSkillFolder } from './walk-skill-folder.ts';

/** Folders of version control systems: not part of a skill. */
export const NOT_OF_A_SKILL: ReadonlySet<string> = new Set(['.git', '.hg', '.svn']);

/**
 * Reads all files of a folder.
 *
 * @param root of the skill; the caller keeps ownership
 * @param skip names at the top to ignore
 * @throws BulkheadError `blocked` for a folder that can't be a skill, or changes while it is read;
 * the system's error
 */
export function readSkillFolder(root: Descriptor, skip: ReadonlySet<string> = new Set()): FileSet {
  const files = new FileSet();
  walkSkillFolder(root, (met, entry) => files.add({ ...met, bytes: bytesOf(met, entry) }), { skip });
  return files;
}

/**
 * Returns a stamp of the folder that differs after every change of a file: sizes, times and
 * identities, no content.
 *
 * @throws BulkheadError `blocked`; the system's error
 */
export function stampOf(root: Descriptor): string {
  const stamps: string[] = [];
  walkSkillFolder(root, ({ stamp }) => stamps.push(stamp));
  return stamps.join('\n');
}

function bytesOf({ path, size }: MetFile, entry: Descriptor): Uint8Array {
  using content = entry.openContent();
  const bytes = content.readUpTo(size);
  if (bytes?.byteLength !== size) throw refused(`${shown(path)} changed while it was read`);
  return bytes;
}
