import { Descriptor, systemCode } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';

/** @returns undefined for any other error */
export function fullDisk(error: unknown, folder: string): BulkheadError | undefined {
  const code = systemCode(error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return undefined;
  return new BulkheadError(
    'store_failed',
    `the disk that keeps what is there now, for undoing, is full: ${folder}`,
    {
      fix: 'Make room there, or lower chronicle.maxBytes.',
      retryable: true,
      details: { path: folder },
      cause: error,
    },
  );
}

/** @throws BulkheadError `not_available` */
export function openFolder(path: string): Descriptor {
  try {
    return Descriptor.ofTrustedFolder(path);
  } catch (cause) {
    throw new BulkheadError('not_available', `the folder ${path} can't be opened`, { cause });
  }
}
