import { lookAtEntry, removeEntry } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import type { GrantedFiles } from './granted-files.ts';

const ACTION_ID = /^[\w-]{1,64}$/;

/**
 * The temporary name of an action's new content: one per action, so recovery finds leftovers of the
 * action.
 *
 * @throws BulkheadError `internal` for an id that can't be part of a name
 */
export function temporaryName(actionId: string): Buffer {
  if (!ACTION_ID.test(actionId))
    throw new BulkheadError('internal', 'an action has an id that names no file');
  return Buffer.from(`.bulkhead-${actionId}.tmp`);
}

/**
 * Removes the leftovers of a killed action's write from the folder of its file. A writer that still
 * runs then can't put them in place. Never throws: a leftover that stays does not affect the file
 * itself.
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
    // A protected name or a read-only folder holds no leftovers of ours.
  }
}
