import { lstatSync } from 'node:fs';
import type { Clock, Timers } from '@bulkhead/protocol';
import type { FolderSize, Sandbox } from '@bulkhead/sandbox';
import { type BoxRecord, entriesIn, readBoxRecord, TEMPORARY, writeBoxRecord } from './box-record.ts';

/** Least time between two measurements that no caller waits for. */
const PAUSE_MS = 10_000;

interface BoxSizeParts {
  /** Of the private folders. */
  readonly path: string;
  readonly workingFolder: string;
  readonly identity: string;
  readonly sandbox: Pick<Sandbox, 'measure'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
}

/**
 * The remembered size of the private folders of one workspace. Measured after commands that may
 * have written, at most every 10 s, in a process of its own.
 */
export class BoxSize {
  readonly #parts: BoxSizeParts;
  #record: BoxRecord;
  #running: Promise<FolderSize> | undefined;
  #next: Disposable | undefined;
  #measuredAt: number | undefined;
  #isStopped = false;

  constructor(parts: BoxSizeParts) {
    this.#parts = parts;
    const { path, workingFolder, identity, clock } = parts;
    const fresh: BoxRecord = { version: 1, path: workingFolder, identity, usedAt: clock.now() };
    this.#record = readBoxRecord(path) ?? fresh;
  }

  /** Makes the workspace known to later engines. */
  keep(): void {
    const { path } = this.#parts;
    if (readBoxRecord(path) === undefined) writeBoxRecord(path, this.#record);
  }

  get record(): BoxRecord {
    return this.#record;
  }

  /**
   * The last known size. Waits for a measurement under way.
   *
   * @param atMost milliseconds; then the size before it is the answer
   * @returns undefined if it was never measured
   */
  async settled(atMost: number): Promise<Pick<FolderSize, 'bytes' | 'isWhole'> | undefined> {
    if (this.#running !== undefined) {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      using _ = this.#parts.timers.after(atMost, resolve);
      await Promise.race([this.#running.then(nothing, nothing), late]);
    }
    const { bytes, isWhole = true } = this.#record;
    return bytes === undefined ? undefined : { bytes, isWhole };
  }

  /** A command has ended that could write. Never throws. */
  mayHaveChanged(): void {
    const { clock, timers } = this.#parts;
    if (this.#isStopped || this.#next !== undefined) return;
    const since = this.#measuredAt === undefined ? PAUSE_MS : clock.monotonic() - this.#measuredAt;
    if (since >= PAUSE_MS && this.#running === undefined) {
      this.#begin();
    } else {
      this.#next = timers.after(PAUSE_MS, () => {
        this.#next = undefined;
        this.#begin();
      });
    }
  }

  /** Measures now. @throws BulkheadError `tool_failed` */
  async measure(): Promise<FolderSize> {
    // One that is under way may have passed the latest change already.
    await this.#running?.then(nothing, nothing);
    this.#running = this.#measure();
    try {
      return await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  /** Ends the automatic measurements. */
  stop(): void {
    this.#isStopped = true;
    this.#next?.[Symbol.dispose]();
    this.#next = undefined;
  }

  #begin(): void {
    if (!this.#isStopped) this.measure().catch(this.#parts.onError);
  }

  async #measure(): Promise<FolderSize> {
    const { path, sandbox, clock } = this.#parts;
    this.#measuredAt = clock.monotonic();
    const folders = foldersOf(path);
    if (folders.length === 0) return { bytes: 0, names: 0, latest: 0, isWhole: true };
    const size = await sandbox.measure(folders);
    const { bytes, names, isWhole } = size;
    this.#record = { ...this.#record, bytes, names, isWhole, usedAt: clock.now() };
    // A reset may have removed the folder meanwhile.
    if (!this.#isStopped) writeBoxRecord(path, this.#record);
    return size;
  }
}

/** Those that commands write to: their own times are the engine's. */
function foldersOf(path: string): readonly string[] {
  const temporary = entriesIn(`${path}/tmp`).flatMap((session) =>
    TEMPORARY.map((name) => `${path}/tmp/${session}/${name}`),
  );
  return [`${path}/home`, ...temporary].filter(
    (folder) => lstatSync(folder, { throwIfNoEntry: false }) !== undefined,
  );
}

function nothing(): void {}
