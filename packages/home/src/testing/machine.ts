import { advanceClock, firstClockState } from '../time/advance-clock.ts';
import type { ClockState } from '../time/clock-state.ts';

/** How often the engine looks at its clocks here, milliseconds. */
const LOOK_MS = 300_000;

/**
 * A machine with a clock that can be wrong, and an engine that checks it every five minutes while
 * it runs.
 */
export class Machine {
  wall: number;
  sinceBoot = 3_600_000;
  boot = 1;
  /** Time that really passed. */
  passed = 0;
  state: ClockState;

  constructor(wall = Date.UTC(2026, 10, 23, 12)) {
    this.wall = wall;
    this.state = firstClockState(this.reading());
  }

  reading() {
    return { wall: this.wall, sinceBoot: this.sinceBoot, boot: `boot ${this.boot}` };
  }

  look(isStart = false): this {
    this.state = advanceClock(this.state, this.reading(), isStart);
    return this;
  }

  /** The engine runs. */
  run(ms: number): this {
    for (let left = ms; left > 0; left -= LOOK_MS) {
      this.#pass(Math.min(left, LOOK_MS), true);
      this.look();
    }
    return this;
  }

  /** The machine is asleep, or runs without an engine. */
  idle(ms: number): this {
    this.#pass(ms, true);
    return this;
  }

  /** The machine is off. */
  off(ms: number): this {
    this.#pass(ms, false);
    this.boot += 1;
    this.sinceBoot = 60_000;
    return this;
  }

  jump(ms: number): this {
    this.wall += ms;
    return this;
  }

  #pass(ms: number, isOn: boolean): void {
    this.wall += ms;
    this.passed += ms;
    if (isOn) this.sinceBoot += ms;
  }
}
