import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';

/** Far more than secrets need, bytes. */
const MAX_BYTES = 1_000_000;

/** What a private file holds, and a stamp that is another one after every change of it. */
export interface PrivateFile {
  readonly stamp: string;
  /** Undefined if the stamp is the one given. */
  readonly text: string | undefined;
}

/**
 * Reads a file that nobody else may read or swap. Everything is checked on the opened file, not by its name: what is
 * checked is what is read.
 *
 * @param options.knownStamp of what was read before
 * @param options.userId who must own it
 * @returns undefined if there is no such file
 * @throws BulkheadError `config_invalid` if it is a link, no file, another's, open to others, or too large
 */
export function readPrivateFile(
  path: string,
  options: { readonly knownStamp?: string | undefined; readonly userId?: number | undefined } = {},
): PrivateFile | undefined {
  const descriptor = open(path);
  if (descriptor === undefined) return undefined;
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    const owner = options.userId ?? process.getuid?.();
    if (!stat.isFile()) throw refused(path, 'is no file', 'Move it away.');
    if (owner !== undefined && stat.uid !== BigInt(owner)) {
      throw refused(
        path,
        `belongs to another user (uid ${stat.uid}, not ${owner})`,
        'Make it your own, or move it away.',
      );
    }
    if ((stat.mode & 0o077n) !== 0n) {
      throw refused(path, 'can be read by others', `Run: chmod 600 ${path}`);
    }
    if (stat.size > MAX_BYTES) throw refused(path, `is larger than ${MAX_BYTES} bytes`, 'Move it away.');
    const stamp = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(':');
    return { stamp, text: stamp === options.knownStamp ? undefined : readFileSync(descriptor, 'utf8') };
  } finally {
    closeSync(descriptor);
  }
}

/** Without waiting for a writer, if it is a pipe. One that is not there, as most often, costs no error. */
function open(path: string): number | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw refused(path, 'is a symbolic link', 'Put the file itself there.');
    throw refused(path, `can't be read (${String(code)})`, 'Give yourself read permission, or move it away.');
  }
}

function refused(path: string, what: string, fix: string): BulkheadError {
  return new BulkheadError('config_invalid', `${path} ${what}`, { fix });
}
