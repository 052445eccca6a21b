import type { GrantedFiles } from './granted-files.ts';
import { hashFile } from './hash-file.ts';
import { openFileForReading } from './open-file.ts';

/**
 * Returns the present state of a path [T8]: the SHA-256 of a regular file, null if nothing exists,
 * undefined for anything unknown: a folder, a pipe, a device, a name that may not be read, a place
 * outside, a file too big. Never rejects.
 */
export async function inspectFile(
  files: GrantedFiles,
  path: string,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  try {
    using location = files.locatePossible(path, 'read');
    if (location.stat === undefined) return null;
    await files.refuseProtected(location, path);
    using file = openFileForReading(location, 'it has no content');
    return await hashFile(file, signal);
  } catch {
    // Whatever the failure, the file was not seen.
    return undefined;
  }
}
