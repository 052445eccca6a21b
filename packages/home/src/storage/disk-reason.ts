/** Why a place can't be written, in words for the user. */
export type DiskReason =
  | 'the disk is full'
  | 'the disk quota is used up'
  | 'the file system is read-only'
  | 'input/output error'
  | 'it is missing';

const SYSTEM: Readonly<Record<string, DiskReason>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EIO: 'input/output error',
  ENOENT: 'it is missing',
  ENOTDIR: 'it is missing',
  ESTALE: 'it is missing',
};

/** Primary result codes, https://www.sqlite.org/rescode.html: READONLY, IOERR, FULL, CANTOPEN. */
const SQLITE: Readonly<Record<number, DiskReason>> = {
  8: 'the file system is read-only',
  10: 'input/output error',
  13: 'the disk is full',
  14: 'it is missing',
};

/** Most levels of wrapped errors. */
const MAX_DEPTH = 8;

/**
 * The reason of the system or SQLite behind this error, through all wrapping.
 *
 * @returns undefined if no disk is the cause
 */
export function diskReason(error: unknown): DiskReason | undefined {
  let each = error;
  for (let depth = 0; depth < MAX_DEPTH && each instanceof Error; depth += 1) {
    if ('errcode' in each && typeof each.errcode === 'number') {
      const known = SQLITE[each.errcode & 0xff];
      if (known !== undefined) return known;
    } else if ('code' in each && typeof each.code === 'string') {
      const known = SYSTEM[each.code];
      if (known !== undefined) return known;
    }
    each = each.cause;
  }
  return undefined;
}
