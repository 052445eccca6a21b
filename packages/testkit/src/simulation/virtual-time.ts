import type { Clock } from '@bulkhead/protocol';

/** 2024-01-01T00:00:00Z: where the wall clock of every simulation starts. */
const START = 1_704_067_200_000;

/** A clock that stands still until it is told to go on. The wall may jump; monotonic time only rises [FT83]. */
export class VirtualTime implements Clock {
  #elapsed = 0;
  #wall = START;

  now(): number {
    return Math.floor(this.#wall + this.#elapsed);
  }

  monotonic(): number {
    return this.#elapsed;
  }

  /** @param monotonic not before what it is now */
  advanceTo(monotonic: number): void {
    if (monotonic > this.#elapsed) this.#elapsed = monotonic;
  }

  /** Moves the wall clock only, by so many milliseconds, in either direction. */
  jumpWall(milliseconds: number): void {
    this.#wall += milliseconds;
  }
}
