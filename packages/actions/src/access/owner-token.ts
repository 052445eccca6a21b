import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { putFileSync } from '@bulkhead/files';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { newSecret } from './secret.ts';

const FORM = /^bulkhead_[A-Za-z0-9_-]{43}$/;

/**
 * The owner's access token, in its own file. It is stored in the clear because the owner can ask
 * for it again; a program that can read it can also read the token of the local socket beside it.
 *
 * @returns undefined if there is none yet
 * @throws BulkheadError `unauthenticated` if others may read the file, or it holds no token
 */
export function readOwnerToken(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw unusable(path, describeError(cause));
  }
  try {
    const mode = fstatSync(file).mode & 0o777;
    if ((mode & 0o077) !== 0) throw unusable(path, `others may read it (mode ${mode.toString(8)})`);
    const token = readFileSync(file, 'utf8').trim();
    if (!FORM.test(token)) throw unusable(path, 'it holds no access token');
    return token;
  } finally {
    closeSync(file);
  }
}

/** Replaces the token. @throws BulkheadError `store_failed`; the old token stays then */
export function writeOwnerToken(path: string): string {
  const token = newSecret('bulkhead_');
  try {
    putFileSync(path, `${token}\n`);
    return token;
  } catch (cause) {
    throw new BulkheadError('store_failed', `can't write ${path}: ${describeError(cause)}`, { cause });
  }
}

function unusable(path: string, why: string): BulkheadError {
  return new BulkheadError('unauthenticated', `the access token ${path} can't be used: ${why}`, {
    fix: 'Run `bulkhead token --rotate`: another one is made.',
  });
}
