import { createHash } from 'node:crypto';
import { type BigIntStats, readSync } from 'node:fs';
import { blocked, type Descriptor, failed, fileError, replaceFile, requireChangeable } from '@bulkhead/files';
import type { CallContext } from '../definitions/worker-tool.ts';
import { fileVersion } from '../files/file-versions.ts';
import type { Location } from '../files/location.ts';
import { openFileForReading } from '../files/open-file.ts';
import { temporaryName } from '../files/temporary-name.ts';

/** The largest file that `write` and `edit` change. */
export const MAX_EDITED_BYTES = 8 * 1024 * 1024;

/**
 * Refuses what must not be replaced: folders, pipes, devices, files of a read-only root, files with
 * several hard links (replacing would split them, writing in place would change a file that may lie
 * elsewhere), and whatever lies in a folder that this process may not change.
 * @throws BulkheadError `blocked`, `tool_failed`
 */
export function refuseUnwritable(location: Location): void {
  writableName(location);
  try {
    requireChangeable(location.folder);
  } catch (error) {
    throw fileError(error, location.shown);
  }
}

function writableName(location: Location): Buffer {
  const { name, stat, shown } = location;
  if (location.use !== 'write') throw blocked(shown, 'was not located to be written');
  if (location.access !== 'rw') throw blocked(shown, 'the folder is read-only');
  if (name === undefined) throw failed(shown, 'is a folder');
  if (stat !== undefined && !stat.isFile()) throw failed(shown, 'is not a regular file');
  if (stat !== undefined && stat.nlink > 1n) {
    throw failed(
      shown,
      `has ${stat.nlink} hard links; changing it would change or split the others. Copy it first`,
    );
  }
  return name;
}

/** Whole content of a located regular file, and its state from before it was read. */
export function readWhole(location: Location): { content: Buffer; stat: BigIntStats } {
  using file = openFileForReading(location, 'it has no text');
  const stat = file.stat();
  if (stat.size > MAX_EDITED_BYTES)
    throw failed(location.shown, `has ${stat.size} bytes; more than ${MAX_EDITED_BYTES} can't be edited`);
  return { content: readToEnd(file, location.shown), stat };
}

function readToEnd(file: Descriptor, shown: string): Buffer {
  const chunks: Buffer[] = [];
  try {
    for (let total = 0; total <= MAX_EDITED_BYTES; ) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const got = readSync(file.fd, chunk);
      if (got === 0) return Buffer.concat(chunks);
      total += got;
      chunks.push(chunk.subarray(0, got));
    }
  } catch (error) {
    throw fileError(error, shown);
  }
  throw failed(shown, `has more than ${MAX_EDITED_BYTES} bytes; it can't be edited`);
}

/**
 * Replaces the located file and remembers it as seen. `expected` as for `replaceFile`.
 * @throws BulkheadError also what `refuseUnwritable` refuses by kind and right
 */
export function putContent(
  location: Location,
  content: Buffer,
  expected: BigIntStats | undefined,
  context: CallContext,
): void {
  const stat = replaceFile({
    folder: location.folder,
    name: writableName(location),
    content,
    expected,
    shown: location.shown,
    temporary: temporaryName(context.actionId),
  });
  context.versions.remember(location.key, fileVersion(stat, contentHash(content)));
}

export function contentHash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
