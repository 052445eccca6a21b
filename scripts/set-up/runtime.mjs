import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SetUpError } from './set-up-error.mjs';

/**
 * The Node.js that everything of the project runs on: the pinned one, else the running one if it is new enough.
 *
 * @param {string} root The checkout, with its packages installed.
 * @returns {string} Absolute path of the executable.
 * @throws {SetUpError} When there is neither.
 */
export function runtimeOf(root) {
  const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(pinned) && canRunPinned()) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  throw new SetUpError(
    `The pinned Node.js does not run on ${process.platform}-${process.arch}${canRunPinned() ? '' : ' without glibc'}, and the one on this machine is ${process.versions.node}. Install Node.js 24 or newer and run this again.`,
  );
}

/** The pinned executables are linked against glibc. */
function canRunPinned() {
  if (process.platform !== 'linux') return true;
  return existsSync('/lib64/ld-linux-x86-64.so.2') || existsSync('/lib/ld-linux-aarch64.so.1');
}
