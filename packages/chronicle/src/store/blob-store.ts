import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { Descriptor, flushFolder, flushOpen } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import { inParallel } from '../in-parallel.ts';
import { type CopiedContent, copyContent } from './copy-content.ts';
import { removeOwnFile } from './own-files.ts';

const NAME = /^[0-9a-f]{64}$/;
/** Unit of `st_blocks` (stat(2)). */
const BLOCK_BYTES = 512;

/** Folders flushed in parallel. */
const FLUSHES_AT_ONCE = 8;

interface Hold {
  /** Holders. */
  readonly count: number;
  readonly bytes: number;
}

/**
 * Stores contents by SHA-256, each once, in `ab/abcd…`. A content is complete or absent, and stays
 * as long as it has a holder: it is removed when its last holder releases it, so none is removed
 * just before it is held again.
 */
export class BlobStore {
  readonly #folder: string;
  readonly #holds = new Map<string, Hold>();
  readonly #made = new Set<string>();
  #copies = 0;
  #bytes = 0;

  /** @param folder exists, and is private */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Holds blobs that a stored snapshot needs. */
  hold(hashes: readonly string[]): void {
    for (const hash of hashes) {
      const { count, bytes } = this.#holds.get(hash) ?? { count: 0, bytes: this.#diskBytes(hash) };
      this.#holds.set(hash, { count: count + 1, bytes });
      if (count === 0) this.#bytes += bytes;
    }
  }

  /** Releases blobs, once for each hold. Those without a holder are removed. */
  release(hashes: readonly string[]): void {
    for (const hash of hashes) {
      const { count, bytes } = this.#holds.get(hash) ?? { count: 0, bytes: 0 };
      if (count > 1) {
        this.#holds.set(hash, { count: count - 1, bytes });
        continue;
      }
      this.#holds.delete(hash);
      this.#bytes -= bytes;
      removeOwnFile(this.path(hash));
    }
  }

  /**
   * Keeps the content of an open file, and holds it for the caller.
   *
   * @returns with the content on the disk; its name is durable after `flushNames`
   * @throws the system's error; nothing is held then
   */
  async keep(file: Descriptor): Promise<CopiedContent> {
    this.#copies += 1;
    const fresh = `${this.#folder}/new-${this.#copies}`;
    const to = openSync(fresh, 'wx', 0o600);
    try {
      const copied = await copyContent(file.fd, to);
      if (!this.#has(copied)) {
        await flushOpen(to);
        this.#makeShard(copied.hash);
        renameSync(fresh, this.path(copied.hash));
      }
      this.hold([copied.hash]);
      return copied;
    } finally {
      closeSync(to);
      removeOwnFile(fresh);
    }
  }

  /**
   * Makes the names of contents durable. Flushes run in parallel, so that they share one commit of
   * the disk.
   */
  async flushNames(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    const folders = new Set([this.#folder, ...hashes.map((hash) => this.#folderOf(hash))]);
    await inParallel([...folders], FLUSHES_AT_ONCE, flushFolder);
  }

  /** @throws BulkheadError `store_corrupt` if it is missing */
  open(hash: string): Descriptor {
    try {
      using node = Descriptor.ofTrustedFile(this.path(hash));
      return node.openContent();
    } catch (cause) {
      throw new BulkheadError('store_corrupt', `the content ${hash} is not in the chronicle`, { cause });
    }
  }

  /** Bytes of a content; undefined if it is missing. */
  sizeOf(hash: string): number | undefined {
    return statSync(this.path(hash), { throwIfNoEntry: false })?.size;
  }

  /** True if the stored bytes still match the name. */
  async isWhole(hash: string, signal?: AbortSignal): Promise<boolean> {
    try {
      using file = this.open(hash);
      return (await copyContent(file.fd, undefined, signal)).hash === hash;
    } catch (error) {
      signal?.throwIfAborted();
      if (BulkheadError.is(error)) return false;
      throw error;
    }
  }

  /** Removes remains of a crash: contents without a holder, and incomplete ones. */
  sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      const path = `${this.#folder}/${name}`;
      if (name.startsWith('new-')) rmSync(path, { force: true });
      else if (/^[0-9a-f]{2}$/.test(name)) this.#sweepShard(path);
    }
  }

  /** Disk space of all held contents. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Disk space of one content; 0 without a holder. */
  bytesOf(hash: string): number {
    return this.#holds.get(hash)?.bytes ?? 0;
  }

  #folderOf(hash: string): string {
    return `${this.#folder}/${hash.slice(0, 2)}`;
  }

  path(hash: string): string {
    if (!NAME.test(hash)) throw new RangeError('a blob is named by the SHA-256 of its content');
    return `${this.#folderOf(hash)}/${hash}`;
  }

  /** Holes use no space. */
  #diskBytes(hash: string): number {
    return (statSync(this.path(hash), { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK_BYTES;
  }

  #has({ hash, size }: CopiedContent): boolean {
    return statSync(this.path(hash), { throwIfNoEntry: false })?.size === size;
  }

  #makeShard(hash: string): void {
    const folder = this.#folderOf(hash);
    if (this.#made.has(folder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#made.add(folder);
  }

  #sweepShard(folder: string): void {
    for (const name of readdirSync(folder)) {
      if (!this.#holds.has(name)) rmSync(`${folder}/${name}`, { force: true, recursive: true });
    }
  }
}
