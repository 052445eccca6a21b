import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a private folder and those above it that are missing, one after the other: where none can be made, as in `/proc`, Node's own
 * `recursive` never returns.
 *
 * @param path absolute
 * @throws the system's error
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    // Another process may have been first.
    if (!existsSync(path)) throw cause;
  }
}
