import { open, readdir } from 'node:fs/promises';
import { BulkheadError } from '@bulkhead/protocol';
import { MAX_LINE_BYTES } from './chain.ts';

const NAME = /^audit-(\d{6})\.(jsonl|checkpoints)$/;

/** Name of the file with this number, from 1. */
export function auditFileName(number: number): string {
  return `audit-${String(number).padStart(6, '0')}.jsonl`;
}

/** Name of the file with the checkpoints signed while that file was written. */
export function checkpointFileName(number: number): string {
  return `audit-${String(number).padStart(6, '0')}.checkpoints`;
}

/** Numbers of the files in `folder`, in order. Ignores other files. */
export async function listAuditFiles(
  folder: string,
): Promise<{ readonly entries: readonly number[]; readonly checkpoints: readonly number[] }> {
  const names = (await readdir(folder)).map((name) => NAME.exec(name));
  const numbersOf = (ending: string): readonly number[] =>
    names.flatMap((match) => (match?.[2] === ending ? [Number(match[1])] : [])).sort((a, b) => a - b);
  return { entries: numbersOf('jsonl'), checkpoints: numbersOf('checkpoints') };
}

/**
 * @returns the last line of a file; undefined if it is empty, ends without a line break, or the
 * line is too long
 */
export async function readLastLine(path: string): Promise<string | undefined> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const length = Math.min(size, MAX_LINE_BYTES + 1);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  if (buffer.at(-1) !== 10) return undefined;
  const start = buffer.lastIndexOf(10, -2) + 1;
  return start === 0 && size > length ? undefined : buffer.toString('utf8', start, length - 1);
}

export function auditFailed(message: string, cause?: unknown): BulkheadError {
  return new BulkheadError('audit_failed', message, {
    cause,
    fix: 'Nothing is done without a record: check the disk and the audit folder, then start the engine again.',
  });
}
