import { lstatSync } from 'node:fs';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * Writes a file atomically that only its owner may read: it gets its name once all content is on
 * disk. Without `force` the name must be free, also at that moment; a link of that name counts as
 * taken.
 *
 * @param path absolute
 * @param options.id names the unfinished file beside it
 * @throws BulkheadError `usage` if it can't be written; errors of `chunks`
 */
export async function writePrivateFile(
  path: string,
  chunks: AsyncIterable<string>,
  options: { readonly force: boolean; readonly id: string },
): Promise<void> {
  const unfinished = `${path}.${options.id}.part`;
  const file = await open(unfinished, 'wx', 0o600).catch((cause: unknown) => {
    throw notWritten(path, cause);
  });
  try {
    try {
      for await (const chunk of chunks) await file.writeFile(chunk, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await finish(unfinished, path, options.force);
  } catch (cause) {
    await unlink(unfinished).catch(() => {});
    throw BulkheadError.is(cause) ? cause : notWritten(path, cause);
  }
}

/** @throws BulkheadError `usage` if the name is taken */
export function refuseExisting(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw exists(path);
}

async function finish(unfinished: string, path: string, force: boolean): Promise<void> {
  if (force) await rename(unfinished, path);
  else {
    // Linking fails if the name is taken; a rename does not.
    await link(unfinished, path);
    await unlink(unfinished);
  }
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
}

function notWritten(path: string, cause: unknown): BulkheadError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  if (code === 'EEXIST') return exists(path);
  return new BulkheadError('usage', `${path} can't be written (${code})`, {
    fix: `See whether ${dirname(path)} is a folder that you may write to, with free space.`,
    cause,
  });
}

function exists(path: string): BulkheadError {
  return new BulkheadError('usage', `${path} already exists`, {
    fix: 'Choose another name, or overwrite it with --force.',
  });
}
