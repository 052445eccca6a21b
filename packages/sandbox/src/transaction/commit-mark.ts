import { closeSync, constants, openSync, readSync } from 'node:fs';

/**
 * The state in a commit's journal, which alone decides a command's outcome: `none`, no change is in
 * place, or all were undone; `planned`, some may be in place, and recovery undoes them;
 * `committed`, all are permanently in place. `unreadable` decides nothing.
 */
export type CommitMark = 'none' | 'planned' | 'committed' | 'unreadable';

/**
 * Start of a journal, as launcher/plan.c writes it: a magic number, then the mark, both in the
 * machine's byte order.
 */
const MAGIC = Buffer.from('BLKDJ01\0', 'latin1');
const MARK_AT = MAGIC.length;
const HEADER_BYTES = MARK_AT + 4;
const MARKS: ReadonlyMap<number, CommitMark> = new Map([
  [1, 'planned'],
  [2, 'committed'],
]);

/** @param scratch scratch folder of a command; it must exist, otherwise `none` means nothing */
export function readCommitMark(scratch: string): CommitMark {
  let fd: number;
  try {
    fd = openSync(`${scratch}/journal`, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'none' : 'unreadable';
  }
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const isWhole = readSync(fd, header, 0, HEADER_BYTES, 0) === HEADER_BYTES;
    if (!isWhole || !header.subarray(0, MARK_AT).equals(MAGIC)) return 'unreadable';
    // Both supported architectures are little-endian.
    return MARKS.get(header.readUInt32LE(MARK_AT)) ?? 'unreadable';
  } catch {
    return 'unreadable';
  } finally {
    closeSync(fd);
  }
}
