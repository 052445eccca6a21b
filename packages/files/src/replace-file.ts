import { type BigIntStats, fchmodSync, fchownSync, fsyncSync, writeSync } from 'node:fs';
import { Descriptor } from './descriptor.ts';
import { failed, fileError, systemCode } from './file-error.ts';
import { flushEntries, lookAtEntry, moveEntryOver, removeEntry } from './folder-entries.ts';
import { giveFreeName } from './give-free-name.ts';
import { sameVersion } from './same-version.ts';

/** Creating modes before the process' umask. */
const NEW_FILE_MODE = 0o666;
const PERMISSIONS = 0o777;

export interface Replacement {
  /** The folder, open. */
  readonly folder: Descriptor;
  readonly name: Buffer;
  readonly content: Uint8Array;
  /** The file as it was judged; undefined: nothing had the name. */
  readonly expected: BigIntStats | undefined;
  /** Text for messages. */
  readonly shown: string;
  /** Temporary name of the new content in the folder. */
  readonly temporary: Buffer;
}

/**
 * Puts whole content at a name, or nothing: a temporary file in the same folder, synced, then renamed over
 * the old file, or linked to a free name, and the folder synced: when it returns, the change is on the disk. Killed meanwhile, it may leave that file. Keeps permissions and owner; drops set-user and set-group bits.
 * Extended attributes and ACLs of a replaced file are not kept: Node can't read them.
 * @returns the new file's state
 * @throws BulkheadError `tool_failed`, the old file then being as it was; or, if only the folder can't be synced, the new one in its place
 */
export function replaceFile(replacement: Replacement): BigIntStats {
  const { folder, name, expected, shown, temporary } = replacement;
  try {
    using file = createTemporary(folder, temporary, expected);
    using cleanUp = new DisposableStack();
    cleanUp.defer(() => removeIfThere(folder, temporary));
    takeOver(file, expected, shown);
    writeAll(file, replacement.content);
    fsyncSync(file.fd);
    refuseChanged(folder, name, expected, shown);
    if (expected === undefined) takeFreeName(folder, temporary, name, shown);
    else moveEntryOver(folder, temporary, name);
    flushEntries(folder);
    return file.stat();
  } catch (error) {
    throw fileError(error, shown);
  }
}

function createTemporary(folder: Descriptor, name: Buffer, expected: BigIntStats | undefined): Descriptor {
  const mode = expected === undefined ? NEW_FILE_MODE : Number(expected.mode) & PERMISSIONS;
  return Descriptor.create(folder, name, mode);
}

/** Owner and mode are changed only where they differ: a box may refuse those calls altogether. */
function takeOver(file: Descriptor, expected: BigIntStats | undefined, shown: string): void {
  if (expected === undefined) return;
  const made = file.stat();
  if (made.uid !== expected.uid || made.gid !== expected.gid) {
    try {
      fchownSync(file.fd, Number(expected.uid), Number(expected.gid));
    } catch (error) {
      throw failed(shown, 'belongs to another user or group; replacing it would change that', {
        cause: error,
      });
    }
  }
  const mode = Number(expected.mode) & PERMISSIONS;
  if ((Number(made.mode) & PERMISSIONS) !== mode) fchmodSync(file.fd, mode);
}

function writeAll(file: Descriptor, content: Uint8Array): void {
  for (let offset = 0; offset < content.length; ) {
    offset += writeSync(file.fd, content, offset);
  }
}

/** The last check before the rename; later changes are not noticed. */
function refuseChanged(
  folder: Descriptor,
  name: Buffer,
  expected: BigIntStats | undefined,
  shown: string,
): void {
  const now = lookAtEntry(folder, name);
  if (now === undefined && expected === undefined) return;
  if (now !== undefined && expected !== undefined && sameVersion(now, expected)) return;
  throw failed(shown, 'changed while it was being written; read it again first');
}

function takeFreeName(folder: Descriptor, temporary: Buffer, name: Buffer, shown: string): void {
  try {
    giveFreeName(folder, temporary, name);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    throw failed(shown, 'was created by somebody else meanwhile; read it first', { cause: error });
  }
}

export function removeIfThere(folder: Descriptor, name: Buffer): void {
  try {
    removeEntry(folder, name);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
