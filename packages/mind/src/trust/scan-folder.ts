import { createHash } from 'node:crypto';
import { FolderObject } from '@bulkhead/processes/transactions/folder-object';
import { BulkheadError } from '@bulkhead/protocol';
import { sorted, type TrustedFile } from './trusted-file.ts';

/** All of a folder that the product may ever interpret: two files, and one folder with everything below it. */
const INTERPRETED = { file: 'AGENTS.md', other: 'CLAUDE.md', folder: '.bulkhead' } as const;

/** Files of instructions, in the order of the prompt. */
export const INSTRUCTION_FILES: readonly string[] = [INTERPRETED.file, INTERPRETED.other];

/** More than that is not what a person has looked through. */
const MAX_ENTRIES = 2_000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_DEPTH = 16;

/** The files of a folder that would be interpreted, and the identity of the folder. */
export interface FolderScan {
  /** As `lastingId` names it. */
  readonly identity: string;
  /** True if it is what `identity` named once. */
  isKnownAs(identity: string): boolean;
  /** By path. */
  readonly files: readonly TrustedFile[];
}

/**
 * Hashes what of a folder would be interpreted. Interprets nothing of it. Each object is opened without following a
 * link and judged through its descriptor.
 *
 * @param folder absolute, resolved
 * @param home `objectId` of `BULKHEAD_HOME`: where the folder's `.bulkhead` is that, it isn't the folder's own
 * @returns undefined if the folder isn't there, or is a link
 * @throws BulkheadError `blocked` for what can't be trusted at all: links, no regular files, names that are no text, too much
 */
export async function scanFolder(folder: string, home: string | undefined): Promise<FolderScan | undefined> {
  await using root = await FolderObject.walk(folder);
  if (root === undefined) return undefined;
  const scan = new Scan(folder);
  try {
    await scan.file(root, INTERPRETED.file);
    await scan.plainFile(root, INTERPRETED.other);
    await using below = await root.child(INTERPRETED.folder);
    if (below !== undefined && below.openId !== home) await scan.folder(below, [INTERPRETED.folder]);
  } catch (cause) {
    throw BulkheadError.is(cause) ? cause : unreadable(folder, cause);
  }
  const { identity } = root;
  const known = root.isKnownAs.bind(root);
  return { identity, isKnownAs: known, files: sorted(scan.found) };
}

class Scan {
  readonly found: TrustedFile[] = [];
  readonly #root: string;
  #entries = 0;
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  async file(parent: FolderObject, name: string): Promise<void> {
    await using object = await parent.child(name);
    if (object !== undefined) await this.#take(object, [name]);
  }

  /** Often a link to the other file: anything but a plain file is left out, and so never interpreted. */
  async plainFile(parent: FolderObject, name: string): Promise<void> {
    await using object = await parent.child(name);
    if (object?.stat.isFile() === true) await this.#take(object, [name]);
  }

  async folder(folder: FolderObject, path: readonly string[]): Promise<void> {
    if (!folder.stat.isDirectory()) throw this.#refused(path, `is ${kindOf(folder)}, not a folder`);
    if (path.length > MAX_DEPTH) throw this.#refused(path, `lies deeper than ${MAX_DEPTH} folders`);
    for (const name of await folder.names(MAX_ENTRIES)) {
      const place = [...path, name];
      this.#entries += 1;
      if (this.#entries > MAX_ENTRIES) throw this.#refused(path, `: more than ${MAX_ENTRIES} entries`);
      if (name.includes('\ufffd')) throw this.#refused(place, 'has a name that is not UTF-8 text');
      await using object = await folder.child(name);
      if (object === undefined) throw this.#refused(place, 'went away while it was looked at');
      if (object.stat.isDirectory()) await this.folder(object, place);
      else await this.#take(object, place);
    }
  }

  async #take(object: FolderObject, path: readonly string[]): Promise<void> {
    if (!object.stat.isFile()) throw this.#refused(path, `is ${kindOf(object)}, not a plain file`);
    const bytes = await object.read(MAX_BYTES - this.#bytes);
    if (bytes === undefined) throw this.#refused(path, `: more than ${MAX_BYTES / 1024 / 1024} MiB in all`);
    this.#bytes += bytes.length;
    this.found.push({ path: path.join('/'), size: bytes.length, sha256: sha256Of(bytes) });
  }

  #refused(path: readonly string[], what: string): BulkheadError {
    const place = `${this.#root}/${path.join('/')}`;
    return new BulkheadError('blocked', `${place}${what.startsWith(':') ? '' : ' '}${what}`, {
      fix: 'A folder is trusted file by file: put plain files there, or take it out.',
    });
  }
}

/** SHA-256, hex. */
export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function kindOf({ stat }: FolderObject): string {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  if (stat.isFIFO()) return 'a pipe';
  if (stat.isSocket()) return 'a socket';
  return stat.isFile() ? 'a file' : stat.isDirectory() ? 'a folder' : 'a device';
}

function unreadable(folder: string, cause: unknown): BulkheadError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new BulkheadError('blocked', `what ${folder} holds can't be read (${code})`, {
    fix: `Give yourself read permission for ${INTERPRETED.file} and ${INTERPRETED.folder} there.`,
    cause,
  });
}
