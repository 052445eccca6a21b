import type { Clock } from '@bulkhead/protocol';

/** 2024-01-01T00:00:00Z: where the wall clock of every simulation starts. */
const START = 1_704_067_200_000;

/** A clock that moves only on request. The wall may jump; monotonic time only rises [FT83]. */
export class VirtualTime implements Clock {
  #elapsed = 0;
  #wall = START;

  now(): number {
    return Math.floor(this.#wall + this.#elapsed);
  }

  monotonic(): number {
    return this.#elapsed;
  }

  /** @param monotonic not before the present time */
  advanceTo(monotonic: number): void {
    if (monotonic > this.#elapsed) this.#elapsed = monotonic;
  }

  /** Moves only the wall clock, by this many milliseconds, in either direction. */
  jumpWall(milliseconds: number): void {
    this.#wall += milliseconds;
  }
}
