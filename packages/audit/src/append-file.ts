import { closeSync, fdatasync, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const flushToDisk = promisify(fdatasync);

/** An append-only file with a single writer. After a failure its end is unknown: open it again. */
export class AppendFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #inode: bigint;
  #size: number;
  #closed = false;

  /** @param mode `append` creates the file if absent, `new` refuses an existing one */
  constructor(path: string, mode: 'append' | 'new') {
    this.#path = path;
    this.#descriptor = openSync(path, mode === 'append' ? 'a' : 'ax', 0o600);
    syncFolder(dirname(path));
    const { ino, size } = statSync(path, { bigint: true });
    this.#inode = ino;
    this.#size = Number(size);
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** Passes text to the system; `flush` makes it durable. */
  put(text: string): void {
    this.#checkUntouched();
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#descriptor, bytes, written);
    }
    this.#size += bytes.length;
  }

  async flush(): Promise<void> {
    await flushToDisk(this.#descriptor);
  }

  close(): void {
    if (!this.#closed) closeSync(this.#descriptor);
    this.#closed = true;
  }

  /**
   * A file that was removed, replaced, truncated or extended by others would accept writes and lose
   * them.
   */
  #checkUntouched(): void {
    const { ino, size } = statSync(this.#path, { bigint: true });
    if (ino !== this.#inode) throw new Error(`${this.#path} was replaced`);
    if (Number(size) !== this.#size) {
      throw new Error(`${this.#path} has ${size} bytes instead of ${this.#size}`);
    }
  }
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
