import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type HomeFiles, systemHomeFiles } from './home-files.ts';

/**
 * Makes a private folder and its missing parents, one after the other: where none can be made, as
 * in `/proc`, Node's own `recursive` never returns. The names are flushed: a home is lost if its
 * folder's name is lost.
 *
 * @param path absolute
 * @throws the system's error
 */
export function makeFolder(path: string, files: HomeFiles = systemHomeFiles): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  makeFolder(above, files);
  try {
    files.makeFolder(path);
  } catch (cause) {
    // Another process may have been faster.
    if (!existsSync(path)) throw cause;
  }
  files.flush(above);
}
