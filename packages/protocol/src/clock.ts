/** Time, passed in so that tests and replays decide what it is. */
export interface Clock {
  /** Milliseconds since the epoch: for records people read. Never for durations. */
  now(): number;
  /** Milliseconds that only ever rise: for time limits and durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
