import { readdir } from 'node:fs/promises';
import { BulkheadError } from '@bulkhead/protocol';

const NAME = /^audit-(\d{6})\.jsonl$/;

/** Name of the file with this number, from 1. */
export function auditFileName(number: number): string {
  return `audit-${String(number).padStart(6, '0')}.jsonl`;
}

/** Numbers of the files of the log in `folder`, in order. Other files are no concern of the log. */
export async function listAuditFiles(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder);
  const numbers = names.map((name) => NAME.exec(name)?.[1]).filter((digits) => digits !== undefined);
  return numbers.map(Number).sort((a, b) => a - b);
}

export function auditFailed(message: string, cause?: unknown): BulkheadError {
  return new BulkheadError('audit_failed', message, {
    cause,
    fix: 'Nothing is done without a record: check the disk and the audit folder, then start the engine again.',
  });
}
