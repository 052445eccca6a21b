import { hash } from 'node:crypto';
import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditInput } from './audit-entry.ts';
import { auditFailed, auditFileName, listAuditFiles } from './audit-files.ts';
import { type ChainHead, GENESIS, MAX_LINE_BYTES } from './chain.ts';
import { checkBytes, checkFile, type FileCheck } from './check-file.ts';

/** Where the writer goes on. */
export interface LogTail {
  /** Number of the file to write to; it may not exist yet. */
  readonly number: number;
  readonly head: ChainHead;
  /** What was mended, to be recorded before anything else. */
  readonly repair?: AuditInput;
}

/**
 * Checks the last file of the log and mends a last line that a crash left incomplete. Whatever else is
 * wrong is an error, and no byte is changed.
 * @throws BulkheadError `audit_failed`
 */
export async function openTail(folder: string): Promise<LogTail> {
  const numbers = await listAuditFiles(folder);
  const number = numbers.at(-1);
  if (number === undefined) return { number: 1, head: GENESIS };
  if (number !== numbers.length) throw auditFailed(`a file of the audit log in ${folder} is missing`);
  const start = number === 1 ? GENESIS : await lastOf(folder, number - 1);
  const check = await checkFile(folder, number, start);
  if (check.bad === undefined) return { number, head: check.head };
  const { torn } = check;
  if (torn === undefined || torn.bytes.length > MAX_LINE_BYTES) {
    throw auditFailed(
      `entry ${check.head.n + 1} of the audit log is bad: line ${check.lines + 1} of ${auditFileName(number)}: ${check.bad}`,
    );
  }
  return { number, ...(await mend(folder, number, check, torn.bytes)) };
}

/** The end of a file that is full: it must be whole, for the next one was begun after it was flushed. */
async function lastOf(folder: string, number: number): Promise<ChainHead> {
  await using file = await open(join(folder, auditFileName(number)), 'r');
  const { size } = await file.stat();
  const length = Math.min(size, MAX_LINE_BYTES + 1);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const text = buffer.toString('utf8');
  const line = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  const head = line.endsWith('\n') ? claimedHead(line) : undefined;
  if (head === undefined)
    throw auditFailed(`the last entry of ${auditFileName(number)} in the audit log is bad`);
  return head;
}

/** What a line says of itself; whether it is true, the first entry of the next file shows. */
function claimedHead(line: string): ChainHead | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('n' in value) || !('self' in value))
      return undefined;
    return typeof value.n === 'number' && typeof value.self === 'string'
      ? { n: value.n, self: value.self }
      : undefined;
  } catch {
    return undefined;
  }
}

async function mend(
  folder: string,
  number: number,
  check: FileCheck,
  torn: Buffer,
): Promise<{ readonly head: ChainHead; readonly repair: AuditInput }> {
  const path = join(folder, auditFileName(number));
  const whole = checkBytes(torn, check.head);
  const kept = typeof whole !== 'string';
  if (!kept) await truncate(path, check.bytes);
  await using file = await open(path, 'a');
  if (kept) await file.appendFile('\n');
  await file.sync();
  const details = {
    file: auditFileName(number),
    offset: check.bytes,
    bytes: kept ? 0 : torn.length,
    sha256: hash('sha256', torn),
    reason: kept ? 'the line break of the last entry was missing' : 'the last line was incomplete',
  };
  const repair: AuditInput = { step: 'REPAIRED', action: '', hash: '', session: '', tool: '', details };
  return { head: kept ? whole : check.head, repair };
}
