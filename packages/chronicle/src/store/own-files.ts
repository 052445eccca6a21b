import { unlinkSync } from 'node:fs';

/** Removes a file of the chronicle itself, in a private folder of the engine's home; none is as good as removed. */
export function removeOwnFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
