import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * A working folder by its canonical path, with links resolved. @throws BulkheadError `usage` unless
 * `path` is an absolute path of a folder
 */
export function realFolder(path: string): string {
  if (!isAbsolute(path)) throw usage(path, 'is not an absolute path');
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch (cause) {
    throw usage(path, 'does not exist, or cannot be read', cause);
  }
  throw usage(path, 'is not a folder');
}

function usage(path: string, problem: string, cause?: unknown): BulkheadError {
  return new BulkheadError('usage', `the working folder ${path} ${problem}`, { cause });
}
