import { lookAtEntry, removeEntry } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import type { GrantedFiles } from './granted-files.ts';

const ACTION_ID = /^[\w-]{1,64}$/;

/**
 * What an action's new content is called until it has its name: one name for each action, so that whoever finds out what became
 * of the action finds what it left.
 *
 * @throws BulkheadError `internal` for an id that can't be part of a name
 */
export function temporaryName(actionId: string): Buffer {
  if (!ACTION_ID.test(actionId))
    throw new BulkheadError('internal', 'an action has an id that names no file');
  return Buffer.from(`.bulkhead-${actionId}.tmp`);
}

/**
 * Removes what the write of an action that was killed left in the folder of its file. A writer that is still at it can then not
 * put it in place any more. Never throws: what can't be removed hides nothing of what the file itself tells.
 *
 * @param path as the action's arguments named it
 */
export function removeTemporary(files: GrantedFiles, path: string, actionId: string): void {
  try {
    using location = files.locatePossible(path, 'write');
    if (location.access !== 'rw' || location.name === undefined || location.missing.length > 0) return;
    const name = temporaryName(actionId);
    if (lookAtEntry(location.folder, name)?.isFile() === true) removeEntry(location.folder, name);
  } catch {
    // A name that may not be written, a folder that may not be changed: nothing of ours lies there.
  }
}
