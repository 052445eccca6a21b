import { createRequire } from 'node:module';
import { BulkheadError } from '@bulkhead/protocol';

/** @throws BulkheadError `not_available` if ripgrep's platform package is not installed */
export function ripgrepPath(): string {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/rg`);
  } catch (cause) {
    throw new BulkheadError('not_available', `${name} is not installed`, {
      fix: 'Run npm install again.',
      cause,
    });
  }
}
