import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';

/** Far more than a policy may have; a larger file is not read. */
const MAX_BYTES = 1024 * 1024;

/**
 * Undefined if there is no such file.
 * @throws BulkheadError `config_invalid` if it can't be read, is no file or is larger than 1 MiB
 */
export function readText(path: string): string | undefined {
  try {
    // Without waiting for a writer, if it is a pipe.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) throw unreadable(path, 'it is no file');
      if (stat.size > MAX_BYTES) throw unreadable(path, `it is larger than ${MAX_BYTES} bytes`);
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    if (BulkheadError.is(cause)) throw cause;
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    if (reason === 'ENOENT') return undefined;
    throw unreadable(path, reason, cause);
  }
}

function unreadable(path: string, reason: string, cause?: unknown): BulkheadError {
  return new BulkheadError('config_invalid', `the policy ${path} can't be read (${reason})`, {
    fix: 'Give yourself read permission, or name another policy in config.yaml.',
    cause,
  });
}
