import type { SessionEvent } from '@bulkhead/protocol';

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

/** Attempts at a round after its first: each is announced once, and closed once, also when nothing came of it. */
export class RetryGrammar {
  #open: number | undefined;
  /** A round was begun since the attempt was announced. */
  #tried = false;
  /** How the attempt ended: `retry_end` must be the next event and say so. */
  #due: boolean | undefined;
  /** Attempts since the last answer. */
  #attempts = 0;
  /** The last thing that happened was a round without an answer. */
  #failed = false;
  /** An attempt was closed before it was made: only an error of the run, or the end of its engine, can be why. */
  #lapsed = false;

  start({ attempt, delayMs }: Event<'retry_start'>): string[] {
    const problems = this.#failed ? [] : ['not after a round without an answer'];
    if (this.#open !== undefined) problems.push('the attempt before is open');
    if (attempt !== this.#attempts + 1) problems.push(`attempt ${attempt} is not ${this.#attempts + 1}`);
    if (delayMs < 0) problems.push('a wait that ends before it begins');
    this.#attempts = attempt;
    this.#open = attempt;
    this.#tried = false;
    this.#failed = false;
    return problems;
  }

  /** @param aborted a run that is cancelled may leave an attempt unmade */
  end({ attempt, success }: Event<'retry_end'>, aborted: boolean): string[] {
    const problems = attempt === this.#open ? [] : ['no such attempt is open'];
    if (this.#tried && this.#due === undefined) problems.push('the attempt goes on');
    if (this.#due !== undefined && success !== this.#due) problems.push('not what became of the attempt');
    if (!this.#tried && success) problems.push('an attempt that was not made gave no answer');
    this.#lapsed = !this.#tried && !aborted;
    this.#failed = this.#due === false;
    this.#open = undefined;
    this.#due = undefined;
    return problems;
  }

  /** Events that must have come before this event of the run. */
  before({ type }: SessionEvent): string[] {
    const lapsed = this.#lapsed && type !== 'run_resumed' && type !== 'error';
    this.#lapsed = false;
    return [
      ...(type === 'retry_end' ? [] : this.overdue()),
      ...(lapsed ? ['the attempt was closed before it was made'] : []),
    ];
  }

  overdue(): string[] {
    return this.#due === undefined ? [] : ['retry_end is missing'];
  }

  roundBegins(): string[] {
    const problems = this.#open !== undefined && this.#tried ? ['the attempt before is open'] : [];
    this.#tried = this.#open !== undefined;
    this.#failed = false;
    return problems;
  }

  answered(): void {
    this.#attempts = 0;
    if (this.#open !== undefined) this.#due = true;
  }

  roundFailed(): void {
    this.#failed = true;
    if (this.#open !== undefined) this.#due = false;
  }

  /** Another engine counts anew. */
  forgotten(): void {
    this.#attempts = 0;
    this.#failed = false;
  }

  endOfRun(): string[] {
    return this.#open === undefined ? [] : [`attempt ${this.#open} has no end`];
  }
}
