/** Time, passed in so that tests and replays decide what it is. */
export interface Clock {
  /** Milliseconds since the epoch: for records people read. Never for durations. */
  now(): number;
  /** Milliseconds that only ever rise: for time limits and durations. */
  monotonic(): number;
}

/** Time that no setting of the wall clock changes, passed in beside the clock. */
export interface MachineClock {
  /** Milliseconds since the machine started. Time asleep counts, which `Clock.monotonic` leaves out. */
  sinceBoot(): number;
  /** Names this run of the machine; empty where the system has no name for it. */
  readonly boot: string;
}

/** Timers, passed in beside the clock: a replay decides when they fire. */
export interface Timers {
  /** Calls `run` once, after `ms` milliseconds of monotonic time, unless disposed before. `run` must not throw. */
  after(ms: number, run: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
