import { readFileSync, statSync } from 'node:fs';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';

/**
 * The token that this home's engine accepts.
 *
 * @throws BulkheadError `not_running` if there is none yet; `unauthenticated` if it can't be read
 *   or others can read it too
 */
export function readToken(layout: Pick<HomeLayout, 'token'>): string {
  try {
    const mode = statSync(layout.token).mode & 0o777;
    if ((mode & 0o077) !== 0) throw openToOthers(layout.token, mode);
    return readFileSync(layout.token, 'utf8').trim();
  } catch (cause) {
    if (BulkheadError.is(cause)) throw cause;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw new BulkheadError('not_running', `there is no token at ${layout.token}: no engine ran here yet`, {
        fix: 'Start one with `bulkhead start --daemon`.',
        cause,
      });
    }
    throw new BulkheadError('unauthenticated', `the token ${layout.token} can't be read`, {
      fix: 'Run bulkhead as the user who started the engine.',
      cause,
    });
  }
}

function openToOthers(path: string, mode: number): BulkheadError {
  return new BulkheadError(
    'unauthenticated',
    `others may read the token ${path} (mode ${mode.toString(8)})`,
    {
      fix: `Stop the engine, delete the file and start again: a new token is made.`,
    },
  );
}
