import { closeSync, fdatasync, fstatSync, openSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { storeClosed } from '../store-errors.ts';

const flushFile = promisify(fdatasync);

/**
 * Flushes SQLite's write-ahead file, in a thread of the pool: earlier commits that did not wait for
 * the disk are on it once this has returned. A concurrent checkpoint is safe: SQLite flushes the
 * log before it copies from it, and the database before it reuses the log. Closing the file drops
 * no lock: SQLite's are on the database and its `-shm`.
 */
export class WalFlush {
  readonly #path: string;
  #file: number | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * A running flush may have begun before the caller's commit, so the caller waits for the next
   * one.
   */
  flush(): Promise<void> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#running.catch(() => {}).then(() => this.#start());
    return this.#next;
  }

  close(): void {
    this.#closed = true;
    if (this.#running === undefined) this.#drop();
  }

  #start(): Promise<void> {
    this.#next = undefined;
    const running = this.#flush().finally(() => {
      this.#running = undefined;
      if (this.#closed) this.#drop();
    });
    this.#running = running;
    return running;
  }

  async #flush(): Promise<void> {
    if (this.#closed) throw storeClosed();
    await flushFile(this.#open());
  }

  /** @throws the file system's error if the log is missing: then its commits are lost, too */
  #open(): number {
    const { ino } = statSync(this.#path);
    if (this.#file !== undefined && fstatSync(this.#file).ino === ino) return this.#file;
    this.#drop();
    this.#file = openSync(this.#path, 'r+');
    return this.#file;
  }

  #drop(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
