import { readFileSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';

/** Undefined if there is no such file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    if (reason === 'ENOENT') return undefined;
    throw new BulkheadError('config_invalid', `the policy ${path} can't be read (${reason})`, {
      fix: 'Give yourself read permission, or name another policy in config.yaml.',
      cause,
    });
  }
}
