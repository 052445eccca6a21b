import type { FileHandle } from 'node:fs/promises';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '@bulkhead/files';

/** A file for output that is too long to show. Writing it never fails the command: what goes wrong is kept as a reason. */
export class OutputFile {
  readonly path: string;
  readonly #maxBytes: number;
  #handle: FileHandle | undefined;
  #bytes = 0;
  #failure: string | undefined;

  /** @param path absolute; must not exist yet. Its folder is made if it lacks, for this user only. */
  constructor(path: string, maxBytes: number) {
    this.path = path;
    this.#maxBytes = maxBytes;
  }

  async append(bytes: Uint8Array): Promise<void> {
    const room = this.#maxBytes - this.#bytes;
    if (this.#failure !== undefined || room <= 0) return;
    try {
      this.#handle ??= await this.#create();
      await this.#handle.appendFile(bytes.subarray(0, room));
      this.#bytes += Math.min(room, bytes.length);
    } catch (error) {
      this.#failure = systemCode(error) ?? 'unknown error';
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** Where the output is and how much of it, for the notice. @param total bytes there were */
  describe(total: number): string {
    if (this.#failure !== undefined) return `the whole output could not be kept (${this.#failure})`;
    if (this.#bytes < total) return `the first ${this.#bytes} bytes of the output are in ${this.path}`;
    return `the whole output is in ${this.path}`;
  }

  async #create(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    return open(this.path, 'wx', 0o600);
  }
}
