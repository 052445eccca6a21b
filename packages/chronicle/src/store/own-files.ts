import { unlinkSync } from 'node:fs';

/**
 * Removes the chronicle's own file, in a private folder of the engine's home; accepts a missing
 * file.
 */
export function removeOwnFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
