import {
  BulkheadError,
  changeRefusal,
  folderRefusal,
  type NameRefusal,
  pathRefusal,
} from '@bulkhead/protocol';

/** What a path is wanted for. Names may be listed; contents are subject to protection by name [A2]. */
export type FileUse = 'list' | 'read' | 'write';

/** @throws BulkheadError `blocked` if a path of this use may not lead through `name` */
export function refuseFolderName(name: Buffer, use: FileUse, shown: string): void {
  if (use !== 'list') refuse(folderRefusal(name.toString('utf8'), use), shown);
}

/** @throws BulkheadError `blocked` if something that is no folder may not be used so under `name` */
export function refuseFileName(name: Buffer, use: FileUse, shown: string): void {
  if (use !== 'list') refuse(pathRefusal([name.toString('utf8')], use), shown);
}

/**
 * A person was asked about a file that other programs run only if the path named it: the engine judged that text.
 *
 * @param spelled components of the path below the root, as the argument had them
 * @param names where they led
 * @throws BulkheadError `blocked` if a write came to such a file without its path saying so
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
  throw new BulkheadError('blocked', `${shown} leads to what ${refusal.reason}; ${fix}`);
}

function refuse(refusal: NameRefusal | undefined, shown: string): void {
  if (refusal !== undefined) throw new BulkheadError('blocked', `${shown} ${refusal.reason}`);
}
