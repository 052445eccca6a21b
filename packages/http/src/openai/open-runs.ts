import type { Clock } from '@bulkhead/protocol';

/** Runs of one engine that wait for their programs; the oldest is forgotten first. */
const MAX_RUNS = 1_000;

/** A call that waits for its program. */
export interface WaitingCall {
  /** As the program knows it: nobody else has one like it. */
  readonly id: string;
  /** As the engine knows it, within its session. */
  readonly call: string;
  readonly action: string;
  /** As its program calls the tool. */
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
  /** Everything up to here was answered with. */
  readonly seq: number;
  /** Calls that the program was told of. */
  readonly told: readonly WaitingCall[];
  /** Calls that it is told of with the next answer. */
  readonly untold: readonly WaitingCall[];
}

/** Which runs wait for which results. In memory alone: no call outlives its engine. */
export class OpenRuns {
  readonly #clock: Clock;
  /** With when the last of its calls is over, monotonic: the wall clock may jump meanwhile. */
  readonly #runs = new Map<OpenRun, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** In place of what was kept of it before: two may follow one run. */
  keep(run: OpenRun): void {
    for (const other of this.#runs.keys()) {
      if (other.sessionId === run.sessionId && other.turn === run.turn) this.#runs.delete(other);
    }
    const ends = [...run.told, ...run.untold].map(({ expires }) => expires - this.#clock.now());
    this.#runs.set(run, this.#clock.monotonic() + Math.max(...ends));
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MAX_RUNS && oldest !== undefined) this.#runs.delete(oldest);
  }

  /** The run of this caller that one of these results is for. */
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
