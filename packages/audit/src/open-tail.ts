import { join } from 'node:path';
import { auditFailed, auditFileName, readLastLine } from './audit-files.ts';
import { type ChainHead, claimedHead, GENESIS, MAX_LINE_BYTES } from './chain.ts';
import { checkBytes, checkFile, type EntryVisitor } from './check-file.ts';
import { completeLine, cutLine, type Mend } from './mend.ts';

/** The writer's position, after repairs. */
export interface LogTail {
  readonly head: ChainHead;
  readonly mend?: Mend;
}

/**
 * Checks the last file of the log. Plans the repair of an incomplete last line, left by a crash;
 * any other problem is an error. Changes nothing.
 * @param visit called with each valid entry, including the repaired one
 * @throws BulkheadError `audit_failed`
 */
export async function readTail(
  folder: string,
  number: number,
  before: ChainHead,
  visit: EntryVisitor,
): Promise<LogTail> {
  const check = await checkFile(folder, number, before, { visit });
  if (check.bad === undefined) return { head: check.head };
  const { torn } = check;
  if (torn === undefined || torn.length > MAX_LINE_BYTES) {
    throw auditFailed(
      `entry ${check.head.n + 1} of the audit log is bad: line ${check.lines + 1} of ${auditFileName(number)}: ${check.bad}`,
    );
  }
  const path = join(folder, auditFileName(number));
  const whole = checkBytes(torn, check.head);
  if (typeof whole === 'string') return { head: check.head, mend: cutLine(path, check.bytes, torn) };
  visit(Buffer.concat([Buffer.alloc(1), torn]), whole.n);
  return { head: whole, mend: completeLine(path, check.bytes, torn) };
}

/**
 * The unverified end of a full file: the first entry of the next file confirms it. It must be
 * complete, since the next file was started after its flush.
 */
export async function endOfFile(folder: string, number: number): Promise<ChainHead> {
  if (number === 0) return GENESIS;
  const head = claimedHead((await readLastLine(join(folder, auditFileName(number)))) ?? '');
  if (head === undefined) {
    throw auditFailed(`the last entry of ${auditFileName(number)} in the audit log is bad`);
  }
  return head;
}
