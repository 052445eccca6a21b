import { closeSync, fdatasync, fstatSync, openSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { storeClosed } from '../store-errors.ts';

const flushFile = promisify(fdatasync);

/**
 * Flushes the file that SQLite writes ahead, in a thread of the pool: commits made without waiting for the disk are on it
 * once this has returned. A checkpoint meanwhile takes nothing away: SQLite flushes the log before it copies from it, and
 * the database before it uses the log anew. Closing the file drops no lock: SQLite's are on the database and its `-shm`.
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

  /** One that goes on may have begun before the caller's commit, so the caller waits for the one after it. */
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

  /** @throws what the file system says if the log is not there: then what was committed to it is not either */
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
