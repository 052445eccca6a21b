import { BulkheadError, folderRefusal, type NameRefusal, pathRefusal } from '@bulkhead/protocol';

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

function refuse(refusal: NameRefusal | undefined, shown: string): void {
  if (refusal !== undefined) throw new BulkheadError('blocked', `${shown} ${refusal.reason}`);
}
