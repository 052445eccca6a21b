/** Time, passed in so that tests and replays control it. */
export interface Clock {
  /** Milliseconds since the epoch: for records people read. Never for durations. */
  now(): number;
  /** Milliseconds that never decrease: for time limits and durations. */
  monotonic(): number;
}

/** Time independent of the wall clock, passed in beside the clock. */
export interface MachineClock {
  /** Milliseconds since the machine started. Time asleep counts, which `Clock.monotonic` leaves out. */
  sinceBoot(): number;
  /** Identifies this boot of the machine; empty if the system does not provide it. */
  readonly boot: string;
}

/** Timers, passed in beside the clock: a replay controls them. */
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
