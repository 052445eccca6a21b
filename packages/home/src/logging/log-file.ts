import { close, fstat, open, rename, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Clock, faultPoint, type Timers } from '@bulkhead/protocol';

const files = {
  open: promisify(open),
  // Its usual promise has the buffer beside the number.
  write: (descriptor: number, bytes: Buffer, from: number): Promise<number> =>
    new Promise((resolve, reject) =>
      write(descriptor, bytes, from, (error, written) => (error === null ? resolve(written) : reject(error))),
    ),
  size: promisify(fstat),
  close: promisify(close),
  rename: promisify(rename),
};

/** Of lines that wait for the disk. Further ones are lost. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** After a failure, until the next attempt. */
const RETRY_MS = 1_000;

/** For the lines that wait at the end of the process. */
const CLOSE_MS = 500;

const ROTATE_BYTES = 32 * 1024 * 1024;

/** Lines that were not written, since the last one that was. */
export interface LostLines {
  readonly lines: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly reason: string;
}

export interface LogFileParts {
  readonly path: string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Default 32 MiB: then the file is renamed to `<path>.1`, in the place of the one before. */
  readonly rotateBytes?: number;
  /** The first line after a failure, which reports the loss. */
  lossLine(lost: LostLines): string;
}

/**
 * An asynchronous log: lines are written in order without blocking the caller, and no error of the
 * disk reaches the caller. Lines that can't be written are counted and dropped; once writing works
 * again, one line reports how many were lost, since when and why.
 */
export class LogFile implements AsyncDisposable {
  readonly #parts: LogFileParts;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #descriptor: number | undefined;
  #size = 0;
  /** The file ends within a line. */
  #torn = false;
  #lost: LostLines | undefined;
  #retry: Disposable | undefined;
  #writing: Promise<void> | undefined;

  constructor(parts: LogFileParts) {
    this.#parts = parts;
  }

  /** Undefined while every line is written. */
  get lost(): LostLines | undefined {
    return this.#lost;
  }

  /** @param line with its line break */
  write(line: string): void {
    if (this.#retry !== undefined) this.#lose(1, undefined);
    else if (this.#waitingBytes + line.length > MAX_WAITING_BYTES)
      this.#lose(1, 'the disk is slower than the log');
    else {
      this.#waiting.push(line);
      this.#waitingBytes += line.length;
      this.#begin();
    }
  }

  /** For lines that must not be shown, and so are not written. */
  drop(reason: string): void {
    this.#lose(1, reason);
    if (this.#retry === undefined) this.#begin();
  }

  /** At the end of the process: writes waiting lines synchronously, if the file is open. */
  flushNow(): void {
    if (this.#descriptor === undefined || this.#waiting.length === 0) return;
    try {
      writeSync(this.#descriptor, this.#waiting.join(''));
    } catch {
      // No one is left to receive it.
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    using _limit = this.#parts.timers.after(CLOSE_MS, resolve);
    await Promise.race([this.#writing, late]);
    this.#retry?.[Symbol.dispose]();
    this.flushNow();
    if (this.#writing === undefined) await this.#close();
  }

  #begin(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      // A line that came after the last check.
      if (this.#waiting.length > 0 && this.#retry === undefined) this.#begin();
    });
  }

  async #writeAll(): Promise<void> {
    // Lines of one step of the program are one write.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#lost !== undefined) {
      const lines = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      const told = this.#lost;
      try {
        await this.#append([...(told === undefined ? [] : [this.#parts.lossLine(told)]), ...lines]);
        this.#forget(told);
      } catch (error) {
        this.#lose(lines.length, error instanceof Error ? error.message : String(error));
        await this.#close();
        this.#retry = this.#parts.timers.after(RETRY_MS, () => {
          this.#retry = undefined;
          this.#begin();
        });
        return;
      }
    }
  }

  async #append(lines: readonly string[]): Promise<void> {
    faultPoint('log.before_write');
    const descriptor = await this.#open();
    const bytes = Buffer.from(`${this.#torn ? '\n' : ''}${lines.join('')}`);
    for (let written = 0; written < bytes.length; ) {
      written += await files.write(descriptor, bytes, written);
      this.#torn = bytes[written - 1] !== 10;
    }
    this.#size += bytes.length;
  }

  async #open(): Promise<number> {
    const { path, rotateBytes = ROTATE_BYTES } = this.#parts;
    if (this.#descriptor !== undefined && this.#size >= rotateBytes) {
      await this.#close();
      // If it fails, the file keeps growing, which is better than no log.
      await files.rename(path, `${path}.1`).catch(() => {});
    }
    if (this.#descriptor === undefined) {
      this.#descriptor = await files.open(path, 'a', 0o600);
      this.#size = (await files.size(this.#descriptor)).size;
    }
    return this.#descriptor;
  }

  async #close(): Promise<void> {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) await files.close(descriptor).catch(() => {});
  }

  #lose(lines: number, reason: string | undefined): void {
    const { since = this.#parts.clock.now(), ...before } = this.#lost ?? { lines: 0, reason: '' };
    this.#lost = { lines: before.lines + lines, since, reason: reason ?? before.reason };
  }

  /** Lines lost during the report are reported next. */
  #forget(told: LostLines | undefined): void {
    if (told === undefined || this.#lost === undefined) return;
    const lines = this.#lost.lines - told.lines;
    this.#lost = lines === 0 ? undefined : { ...this.#lost, lines, since: this.#parts.clock.now() };
  }
}
