import type { Descriptor } from '@bulkhead/files';
import { FileSet, refused, shown } from './file-set.ts';
import { type MetFile, walkSkillFolder } from './walk-skill-folder.ts';

/** What a version control system keeps beside the files: not a part of a skill. */
export const NOT_OF_A_SKILL: ReadonlySet<string> = new Set(['.git', '.hg', '.svn']);

/**
 * All files of a folder, as they are now.
 *
 * @param root of the skill; stays the caller's
 * @param skip names at the top that are passed over
 * @throws BulkheadError `blocked` for what can't be a skill, or changes while it is read; the system's error
 */
export function readSkillFolder(root: Descriptor, skip: ReadonlySet<string> = new Set()): FileSet {
  const files = new FileSet();
  walkSkillFolder(root, (met, entry) => files.add({ ...met, bytes: bytesOf(met, entry) }), { skip });
  return files;
}

/**
 * A stamp of the folder that is another after every change of a file in it: sizes, times and identities, no content.
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
