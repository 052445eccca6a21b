import { BulkheadError, type Clock, faultPoint, type Timers } from '@bulkhead/protocol';
import { type DiskReason, diskReason } from './disk-reason.ts';
import type { GoneObject } from './opened-objects.ts';

/** Between two checks of a failed disk. */
const PROBE_MS = 2_000;

/**
 * Shortest time until an engine that a disk error restarted may restart again: a bad sector must
 * not cause a loop.
 */
const REOPEN_AFTER_MS = 20_000;

/**
 * Room that such an engine needs before another restart because of a full disk: more than a start
 * writes, so that a nearly full disk does not cause a loop either. Free room is a certain fact, so
 * no other wait is needed.
 */
const START_BYTES = 4 * 1024 * 1024;

const NO_ROOM: readonly DiskReason[] = ['the disk is full', 'the disk quota is used up'];

/** Data of the engine on a disk. */
export interface StoragePlace {
  readonly name: string;
  /** A file or a folder. */
  readonly path: string;
  /** The folder for the probe. */
  readonly folder: string;
}

export interface StorageProblem {
  readonly place: string;
  readonly path: string;
  readonly reason: DiskReason;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface StorageParts {
  /** The innermost one that holds a path is used; the first is the home. */
  readonly places: readonly StoragePlace[];
  readonly clock: Clock;
  readonly timers: Timers;
  /** Really writes and flushes, that many bytes if given. @throws the system's error */
  probe(folder: string, bytes?: number): Promise<void>;
  /** An object that the engine opened and that is gone or replaced now. */
  gone(): GoneObject | undefined;
  /** This engine was itself started by `reopen`. */
  readonly wasReopened: boolean;
  /** Restarts the engine: it reads the failed disk's actual content. */
  reopen(): void;
  /** Receives each change, in order. */
  changed(problems: readonly StorageProblem[]): void;
}

/**
 * The one state of all disks: ready, or reading only. A part that meets an error of a disk reports
 * it; from then on new work is refused with the reason, until a real write succeeds at every failed
 * place. Data in doubt is then reopened by a restart of the engine, never while the disk still
 * fails.
 */
export class Storage implements Disposable {
  readonly #parts: StorageParts;
  readonly #begun: number;
  readonly #waiting: (() => void)[] = [];
  readonly #problems = new Map<string, StorageProblem>();
  /** Why data believed to be on a disk may be missing: no room, or another reason. */
  #doubt: 'none' | 'no room' | 'other' = 'none';
  #onCopies = false;
  #timer: Disposable | undefined;
  #closed = false;

  constructor(parts: StorageParts) {
    this.#parts = parts;
    this.#begun = parts.clock.monotonic();
  }

  /** Empty while everything can be written. */
  get problems(): readonly StorageProblem[] {
    return [...this.#problems.values()];
  }

  /**
   * Records an error if a disk is its cause.
   *
   * @param path of the failed object, or of its place; absent: the one in the error
   * @returns false if no disk is the cause
   */
  report(error: unknown, path?: string): boolean {
    const reason = diskReason(error);
    const place = reason && (path === undefined ? this.#placeOf(error) : this.#placeHolding(path));
    if (reason === undefined || place === undefined) return false;
    // Most files may be missing without harm. Only an open file matters.
    if (reason === 'it is missing') return this.#lookForGone();
    if (reason === 'input/output error' || leavesDoubt(error)) this.#doubtFor(reason);
    this.#note(place, reason);
    return true;
  }

  /** @throws BulkheadError as `refuseWork`, if a change would only affect copies of the home */
  refuseChange(): void {
    if (this.#onCopies) this.refuseWork();
  }

  /**
   * @param act waits for the disks: called whenever all failed places can be written again,
   *   before the engine restarts
   */
  onWritable(act: () => void): void {
    this.#waiting.push(act);
  }

  /**
   * The home could not be written when it was opened: once it can, it is reopened. @param error
   * with the reason
   */
  beginReadingOnly(error: unknown): void {
    const [home] = this.#parts.places;
    const reason = diskReason(error) ?? 'input/output error';
    this.#doubtFor(reason);
    this.#onCopies = true;
    if (home !== undefined) this.#note(home, reason);
  }

  #doubtFor(reason: DiskReason): void {
    const isOther = this.#doubt === 'other' || !NO_ROOM.includes(reason);
    this.#doubt = isOther ? 'other' : 'no room';
  }

  /** @throws BulkheadError `store_failed`, retryable: the place, the reason and the remedy */
  refuseWork(): void {
    this.#lookForGone();
    const [first] = this.#problems.values();
    if (first !== undefined) throw readingOnly(first);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#timer?.[Symbol.dispose]();
  }

  /** @throws BulkheadError `store_failed`, retryable, if a path no longer names the open object */
  refuseGone(): void {
    if (this.#lookForGone()) this.refuseWork();
  }

  #lookForGone(): boolean {
    const gone = this.#parts.gone();
    const place = gone && this.#placeHolding(gone.path);
    if (place === undefined) return false;
    this.#doubtFor('it is missing');
    this.#note(place, 'it is missing');
    return true;
  }

  #note(place: StoragePlace, reason: DiskReason): void {
    const known = this.#problems.get(place.name);
    if (known?.reason === reason) return;
    const { name, path } = place;
    this.#problems.set(name, { place: name, path, reason, since: known?.since ?? this.#parts.clock.now() });
    this.#parts.changed(this.problems);
    this.#schedule(PROBE_MS);
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = this.#parts.timers.after(ms, () => {
      this.#look().finally(() => {
        this.#timer = undefined;
        if (this.#problems.size > 0) this.#schedule(PROBE_MS);
      });
    });
  }

  async #look(): Promise<void> {
    const { reopen, changed, wasReopened, clock } = this.#parts;
    const isAgain = wasReopened && clock.monotonic() - this.#begun < REOPEN_AFTER_MS;
    const bytes = isAgain && this.#doubt === 'no room' ? START_BYTES : undefined;
    if (!(await this.#areWritable(bytes))) return;
    const gone = this.#parts.gone();
    if (gone === undefined || gone.replaced) for (const act of this.#waiting) act();
    if (this.#doubt === 'none') {
      this.#problems.clear();
      changed([]);
      return;
    }
    // A missing object can't be opened: a start would create it again, or fail.
    if (gone?.replaced === false) return;
    if (isAgain && this.#doubt === 'other') return;
    if (!this.#closed) reopen();
  }

  /** Writes at each failed place, up to the first that still fails. */
  async #areWritable(bytes: number | undefined): Promise<boolean> {
    const { places, probe } = this.#parts;
    for (const place of places.filter(({ name }) => this.#problems.has(name))) {
      try {
        faultPoint('storage.probe');
        await probe(place.folder, bytes);
      } catch (error) {
        this.#note(place, diskReason(error) ?? 'input/output error');
        return false;
      }
    }
    return true;
  }

  /** By the path in the error; the audit log by its code, which has no path. */
  #placeOf(error: unknown): StoragePlace | undefined {
    const { places } = this.#parts;
    const path = pathOf(error);
    if (BulkheadError.is(error)) {
      if (error.code === 'audit_failed') return places.find(({ name }) => name === 'audit log');
      if (error.code !== 'store_failed') return undefined;
      if (path === undefined) return places[0];
    }
    return path === undefined ? undefined : this.#placeHolding(path);
  }

  /** The innermost one. */
  #placeHolding(path: string): StoragePlace | undefined {
    return this.#parts.places
      .filter(
        (place) =>
          path === place.path || path.startsWith(`${place.path}/`) || path.startsWith(`${place.path}-`),
      )
      .toSorted((a, b) => b.path.length - a.path.length)[0];
  }
}

/** A record of the engine that was not rolled back. */
function leavesDoubt(error: unknown): boolean {
  if (!BulkheadError.is(error) || error.retryable) return false;
  return error.code === 'store_failed' || error.code === 'audit_failed';
}

function pathOf(error: unknown): string | undefined {
  if (BulkheadError.is(error)) {
    const path = error.details['path'];
    return typeof path === 'string' ? path : pathOf(error.cause);
  }
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

function readingOnly({ place, path, reason, since }: StorageProblem): BulkheadError {
  const time = new Date(since).toISOString();
  return new BulkheadError(
    'store_failed',
    `nothing new is begun: the ${place} ${path} can't be written since ${time}: ${reason}`,
    {
      retryable: true,
      fix: `${FIXES[reason]} Work goes on within seconds after that; reading goes on meanwhile.`,
      details: { place, path, disk: reason, since, retryAfterSeconds: PROBE_MS / 1_000 },
    },
  );
}

const FIXES: Readonly<Record<DiskReason, string>> = {
  'the disk is full': 'Free some space on that disk.',
  'the disk quota is used up': 'Free some space, or raise the quota.',
  'the file system is read-only': 'Mount it for writing: the system log says why it is not.',
  'input/output error': 'Check the disk: the system log says what failed.',
  'it is missing': 'Put it back, or mount the disk it lies on.',
};

/** The user's remedy for a disk that can't be written, for this reason. */
export function diskFix(reason: DiskReason): string {
  return FIXES[reason];
}

/** For `status` and for readers of a page. */
export function describeStorage(problems: readonly StorageProblem[]): readonly string[] {
  return problems.map((problem) => `READING ONLY: ${readingOnly(problem).message}. ${FIXES[problem.reason]}`);
}
