import { BulkheadError } from '@bulkhead/protocol';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  EEXIST: 'it exists already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EINVAL: 'it changed meanwhile',
};

/** The system's code of an error, if it is one of the system's. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A tool's failure in words, without the descriptor paths that the system's message holds. */
export function fileError(error: unknown, shown: string): BulkheadError {
  if (BulkheadError.is(error)) return error;
  const code = systemCode(error);
  const reason =
    code === undefined ? 'it could not be used' : (REASONS[code] ?? `it could not be used (${code})`);
  return failed(shown, reason, { cause: error, details: { code: code ?? 'unknown' } });
}

export function failed(
  shown: string,
  reason: string,
  fields: { cause?: unknown; details?: Record<string, unknown> } = {},
) {
  return new BulkheadError('tool_failed', `${shown}: ${reason}`, fields);
}

export function blocked(shown: string, reason: string): BulkheadError {
  return new BulkheadError('blocked', `${shown}: ${reason}`);
}
