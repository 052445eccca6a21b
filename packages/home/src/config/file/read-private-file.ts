import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';

/** Far more than secrets need, bytes. */
const MAX_BYTES = 1_000_000;

/** Content of a private file, with a stamp that differs after every change. */
export interface PrivateFile {
  readonly stamp: string;
  /** Undefined if the stamp is the one given. */
  readonly text: string | undefined;
}

/**
 * Reads a file that no other user may read or replace. All checks use the opened file, not its
 * name: the checked file is the one that is read.
 *
 * @param options.knownStamp of the last read
 * @param options.userId required owner
 * @returns undefined if there is no such file
 * @throws BulkheadError `config_invalid` if it is a link, no file, another's, open to others, or
 *   too large
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

/**
 * Without waiting for a writer, if it is a pipe. A missing file, the usual case, costs no error.
 */
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
