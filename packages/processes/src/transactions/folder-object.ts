import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, open, opendir, statfs } from 'node:fs/promises';
import { isSameObject, lastingId, objectId } from '@bulkhead/files';

/**
 * Opens for naming only: never blocks, wakes no device. Linux; the same number on x64 and arm64.
 */
const O_PATH = 0x200000;
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/**
 * An open object of a file system, found by walking from the root one name at a time without
 * following a link. It stays the same object when names change. Its content is unread.
 */
export class FolderObject implements AsyncDisposable {
  readonly stat: BigIntStats;
  readonly #handle: FileHandle;
  readonly #fileSystem: number;

  private constructor(handle: FileHandle, stat: BigIntStats, fileSystem: number) {
    this.#fileSystem = fileSystem;
    this.#handle = handle;
    this.stat = stat;
  }

  /**
   * @param path absolute, normalised
   * @returns the folder; undefined if any part of the path is missing, a link or no folder
   */
  static async walk(path: string): Promise<FolderObject | undefined> {
    let place = await FolderObject.#take('/', O_PATH | O_DIRECTORY);
    for (const name of path.split('/').filter(Boolean)) {
      await using parent = place;
      const next = await parent.child(name);
      if (next?.stat.isDirectory() !== true) {
        await next?.[Symbol.asyncDispose]();
        return undefined;
      }
      place = next;
    }
    return place;
  }

  static async #take(path: string, flags: number): Promise<FolderObject> {
    const handle = await open(path, flags);
    try {
      const { type } = await statfs(`/proc/self/fd/${handle.fd}`);
      return new FolderObject(handle, await handle.stat({ bigint: true }), type);
    } catch (cause) {
      await handle.close();
      throw cause;
    }
  }

  /** Its identity in stored records. */
  get identity(): string {
    return lastingId(this.stat, this.#fileSystem);
  }

  /** Its identity while it is open. */
  get openId(): string {
    return objectId(this.stat);
  }

  /** True if `identity` had this value for it. */
  isKnownAs(identity: string): boolean {
    return isSameObject(identity, this.stat, this.#fileSystem);
  }

  /**
   * The present holder of a name in this folder, of any kind; a link is not followed.
   *
   * @param name one component
   * @returns undefined if there is none
   * @throws Error for `.`, `..` and anything but a component; the system's error, with `code`
   */
  async child(name: string): Promise<FolderObject | undefined> {
    if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) throw new Error('no single name');
    try {
      return await FolderObject.#take(`${this.#path}/${name}`, O_PATH | O_NOFOLLOW);
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw cause;
    }
  }

  /**
   * Names in this folder, unordered, at most `limit` + 1 of them. Bytes that are not UTF-8 become
   * U+FFFD.
   *
   * @throws the system's error, with `code`
   */
  async names(limit: number): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { name } of await opendir(this.#path)) {
      names.push(name);
      if (names.length > limit) break;
    }
    return names;
  }

  /**
   * The bytes of this regular file.
   *
   * @returns undefined if there are more than `limit`
   * @throws Error for other kinds, which may block or act when opened; the system's error, with
   *   `code`
   */
  async read(limit: number): Promise<Buffer | undefined> {
    if (!this.stat.isFile()) throw new Error('no plain file');
    // The descriptor's own name resolves to this very object.
    await using file = await open(this.#path, O_RDONLY);
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, size);
      if (bytesRead === 0) return Buffer.concat(chunks);
      size += bytesRead;
      if (size > limit) return undefined;
      chunks.push(buffer.subarray(0, bytesRead));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  get #path(): string {
    return `/proc/self/fd/${this.#handle.fd}`;
  }
}

const CHUNK_BYTES = 64 * 1024;

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}
