import {
  BulkheadError,
  changeRefusal,
  folderRefusal,
  type NameRefusal,
  pathRefusal,
} from '@bulkhead/protocol';

/** The purpose of a path. Names may be listed; contents are protected by name [A2]. */
export type FileUse = 'list' | 'read' | 'write';

/** @throws BulkheadError `blocked` if `name` is forbidden on a path of this use */
export function refuseFolderName(name: Buffer, use: FileUse, shown: string): void {
  if (use !== 'list') refuse(folderRefusal(name.toString('utf8'), use), shown);
}

/** @throws BulkheadError `blocked` if this use of a non-folder named `name` is forbidden */
export function refuseFileName(name: Buffer, use: FileUse, shown: string): void {
  if (use !== 'list') refuse(pathRefusal([name.toString('utf8')], use), shown);
}

/**
 * Refuses writes that reach a file which other programs run, unless the path names it: the engine
 * judged only that text.
 *
 * @param spelled components of the path below the root, as the argument had them
 * @param names where they resolved to
 * @throws BulkheadError `blocked` if a write reaches such a file under another path
 */
export function refuseUnasked(spelled: readonly string[], names: readonly Buffer[], shown: string): void {
  const asked = spelled.filter((name) => name !== '..');
  const refusal = changeRefusal(
    names.map((name) => name.toString('utf8')),
    'changed',
    'file',
  );
  if (refusal === undefined || refusal.reason === changeRefusal(asked, 'changed', 'file')?.reason) return;
  const fix = 'name it without links';
  throw new BulkheadError('blocked', `${shown} leads to a file that ${refusal.reason}; ${fix}`);
}

function refuse(refusal: NameRefusal | undefined, shown: string): void {
  if (refusal !== undefined) throw new BulkheadError('blocked', `${shown} ${refusal.reason}`);
}
