import { BulkheadError } from '@bulkhead/protocol';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: part of its path is not a folder',
  EISDIR: 'is a folder',
  EACCES: "can't be read: permission denied",
  EPERM: "can't be read: permission denied",
};

/**
 * Explains why a file that a person named can't be read, in words instead of the system's.
 *
 * @param file name of the file in the sentence
 * @param fix advice for the person
 */
export function unreadable(file: string, cause: unknown, fix: string): BulkheadError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = REASONS[code] ?? `can't be read${code === '' ? '' : ` (${code})`}`;
  return new BulkheadError('usage', `${file} ${reason}`, { fix, cause });
}
