import { BulkheadError } from '@bulkhead/protocol';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is no folder',
  EISDIR: 'is a folder',
  EACCES: 'is not yours to read',
  EPERM: 'is not yours to read',
};

/**
 * What to tell a person of a file they named, in words instead of the system's.
 *
 * @param file how the sentence names it
 * @param fix what to do about it
 */
export function unreadable(file: string, cause: unknown, fix: string): BulkheadError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = REASONS[code] ?? `can't be read${code === '' ? '' : ` (${code})`}`;
  return new BulkheadError('usage', `${file} ${reason}`, { fix, cause });
}
