import type { Clock } from '@bulkhead/protocol';

/** Runs of one engine that wait for their programs; beyond that, the oldest is dropped. */
const MAX_RUNS = 1_000;

/** A call that waits for its program. */
export interface WaitingCall {
  /** The id for the program; unique. */
  readonly id: string;
  /** The id in the engine, unique within its session. */
  readonly call: string;
  readonly action: string;
  /** The program's name for the tool. */
  readonly name: string;
  readonly argumentsJson: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** A run whose last answer ended with calls. */
export interface OpenRun {
  readonly caller: string;
  readonly sessionId: string;
  readonly messageId: string;
  /** The run, as its events name it. */
  readonly turn: string;
  /** All events up to here are part of earlier answers. */
  readonly seq: number;
  /** Calls that the program has received. */
  readonly told: readonly WaitingCall[];
  /** Calls for the next answer. */
  readonly untold: readonly WaitingCall[];
}

/** Runs that wait for results from programs. In memory only: no call outlives its engine. */
export class OpenRuns {
  readonly #clock: Clock;
  /** Each with the time when its last call expires, monotonic: the wall clock may jump. */
  readonly #runs = new Map<OpenRun, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Replaces the older record of the same run: two requests may follow one run. */
  keep(run: OpenRun): void {
    for (const other of this.#runs.keys()) {
      if (other.sessionId === run.sessionId && other.turn === run.turn) this.#runs.delete(other);
    }
    const ends = [...run.told, ...run.untold].map(({ expires }) => expires - this.#clock.now());
    this.#runs.set(run, this.#clock.monotonic() + Math.max(...ends));
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MAX_RUNS && oldest !== undefined) this.#runs.delete(oldest);
  }

  /** Finds the run of this caller that one of these results is for. */
  find(caller: string, results: readonly { readonly id: string }[]): OpenRun | undefined {
    this.#forgetOld();
    const isMeant = ({ id }: WaitingCall): boolean => results.some((result) => result.id === id);
    return [...this.#runs.keys()].find((run) => run.caller === caller && run.told.some(isMeant));
  }

  forget(run: OpenRun): void {
    this.#runs.delete(run);
  }

  #forgetOld(): void {
    const now = this.#clock.monotonic();
    for (const [run, end] of this.#runs) if (end <= now) this.#runs.delete(run);
  }
}
