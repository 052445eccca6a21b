import { BulkheadError, type Clock, describeError, type MachineClock, type Timers } from '@bulkhead/protocol';
import { acceptGap, advanceClock, aheadOf, DAY_MS, firstClockState } from './advance-clock.ts';
import { readClockFile, writeClockFile } from './clock-file.ts';
import type { ClockReading, ClockState } from './clock-state.ts';
import { CONFIRM_CLOCK, describeGap } from './describe-gap.ts';

/** Interval of clock checks, milliseconds. */
const LOOK_EVERY_MS = 60_000;
/** Interval of writing when only time has passed: a power cut loses at most this. */
const WRITE_EVERY_MS = 600_000;

export interface ConfirmedTimeParts {
  /** Of the file that holds it; no other code writes to it. */
  readonly path: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly machine: MachineClock;
  readonly timers: Timers;
  /** Receives a problem that the user should know. */
  warn(problem: string): void;
  inform(what: string): void;
}

/** The result of a person's confirmation of the clock. */
export interface ClockConfirmation {
  /** The wall clock, in milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds that count as passed by it. */
  readonly counted: number;
  /** False if there was nothing to confirm. */
  readonly changed: boolean;
}

/**
 * Time that certainly passed. Removal by age uses this time: a jump of the wall clock makes nothing
 * older [U2] [FT45] [FT83]. `docs/decisions/0013-confirmed-time.md` has the rule.
 */
export class ConfirmedTime implements Disposable {
  readonly #parts: ConfirmedTimeParts;
  #state: ClockState;
  #written: number;
  #isFailing = false;
  #timer: Disposable | undefined;

  private constructor(parts: ConfirmedTimeParts, state: ClockState) {
    this.#parts = parts;
    this.#state = state;
    this.#written = Number.NEGATIVE_INFINITY;
  }

  /** Continues the last engine's state, and checks the clocks from now on. */
  static open(parts: ConfirmedTimeParts): ConfirmedTime {
    const reading = readingOf(parts);
    const before = known(parts);
    const state = before === undefined ? firstClockState(reading) : advanceClock(before, reading, true);
    const time = new ConfirmedTime(parts, state);
    time.#tell(before, state);
    time.#write();
    time.#lookLater();
    return time;
  }

  /** Confirmed milliseconds since the first reading of this home. Never goes back. */
  confirmed(): number {
    return this.#look().confirmed;
  }

  /** The most that may have passed, on the same scale: for limits of validity. */
  atMost(): number {
    const state = this.#look();
    return state.confirmed + offTime(state);
  }

  /**
   * Milliseconds since the epoch, as far as they are believed: for daily limits. After time off it
   * is ahead by a day at most, so that a wrong clock opens only one new day.
   */
  believed(): number {
    const state = this.#look();
    return state.confirmed + state.offset + Math.min(offTime(state), DAY_MS);
  }

  /** A problem of the clock that the user should know. */
  get problem(): string | undefined {
    return describeGap(this.#look());
  }

  /** The effect that `confirmClock` would have now. */
  get confirmable(): ClockConfirmation {
    const before = this.#look();
    const now = before.last.wall;
    if (before.gap === undefined) return { now, counted: 0, changed: false };
    return { now, counted: acceptGap(before).confirmed - before.confirmed, changed: true };
  }

  /** A person confirms the clock: takes effect immediately. */
  confirmClock(): ClockConfirmation {
    const before = this.#look();
    const confirmation = this.confirmable;
    const { counted } = confirmation;
    if (!confirmation.changed) return confirmation;
    this.#state = acceptGap(before);
    this.#parts.inform(`a person confirmed the clock; ${Math.round(counted / 1_000)} s count as passed`);
    this.#write();
    return confirmation;
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#look();
    this.#write();
  }

  #look(): ClockState {
    const before = this.#state;
    this.#state = advanceClock(before, readingOf(this.#parts), false);
    this.#tell(before, this.#state);
    const isNews = kindOf(before) !== kindOf(this.#state) || before.offset !== this.#state.offset;
    if (isNews || this.#state.last.sinceBoot - this.#written >= WRITE_EVERY_MS) this.#write();
    return this.#state;
  }

  #tell(before: ClockState | undefined, after: ClockState): void {
    const was = before === undefined ? undefined : describeGap(before);
    const is = describeGap(after);
    if (is !== undefined && (was === undefined || kindOf(before) !== kindOf(after)))
      this.#parts.warn(`${is} If the clock is right: ${CONFIRM_CLOCK}`);
    else if (is === undefined && was !== undefined)
      this.#parts.inform('the clock agrees with the expected time again, or was right for a day');
  }

  #lookLater(): void {
    this.#timer = this.#parts.timers.after(LOOK_EVERY_MS, () => {
      this.#look();
      this.#lookLater();
    });
  }

  /** A failed write is retried a minute later: until then a crash only makes things younger. */
  #write(): void {
    try {
      writeClockFile(this.#parts.path, this.#state);
      this.#written = this.#state.last.sinceBoot;
      this.#isFailing = false;
    } catch (error) {
      this.#written = this.#state.last.sinceBoot - WRITE_EVERY_MS + LOOK_EVERY_MS;
      if (!this.#isFailing) this.#parts.warn(`the confirmed time can't be written: ${describeError(error)}`);
      this.#isFailing = true;
    }
  }
}

/** Possible time off beyond the confirmed time. */
function offTime(state: ClockState): number {
  return state.gap?.kind === 'off' ? Math.max(0, aheadOf(state)) : 0;
}

/** A gap of another kind, or in the other direction, is another one. */
function kindOf(state: ClockState | undefined): string {
  const { gap } = state ?? {};
  return gap === undefined ? '' : `${gap.kind} ${Math.sign(gap.ahead)}`;
}

function readingOf({ clock, machine }: ConfirmedTimeParts): ClockReading {
  return { wall: clock.now(), sinceBoot: machine.sinceBoot(), boot: machine.boot };
}

/** Without the file time counts from now on, and existing data becomes no older. */
function known({ path, warn }: ConfirmedTimeParts): ClockState | undefined {
  try {
    return readClockFile(path);
  } catch (error) {
    const { message } = BulkheadError.from(error);
    warn(`${message}; it is counted anew, so snapshots and keys are kept for longer`);
    return undefined;
  }
}
