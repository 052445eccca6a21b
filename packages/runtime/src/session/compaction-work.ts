import { isRecordFailure } from '@bulkhead/log/context';
import { Suspension, throwIfSuspended } from '@bulkhead/log/suspension/suspension';
import { BulkheadError } from '@bulkhead/protocol';
import type { CompactionOutcome } from './session-compaction.ts';
import type { SessionServices } from './session-services.ts';

/** Compactions of one session that its actor has done: one at a time. */
export class CompactionWork {
  readonly #services: Pick<SessionServices, 'upkeep' | 'engine'>;
  readonly #session: string;
  #controller: AbortController | undefined;
  #inBackground = false;
  /** The instructions of all who requested one after the run. */
  #wanted: Set<string> | undefined;

  constructor(services: Pick<SessionServices, 'upkeep' | 'engine'>, session: string) {
    this.#services = services;
    this.#session = session;
  }

  /** True if the one under way was not requested: it yields to any request. */
  get inBackground(): boolean {
    return this.#inBackground;
  }

  abort(): void {
    this.#controller?.abort();
  }

  /** Ends it because the engine stops: those who requested it get a retryable error. */
  suspend(): void {
    this.#controller?.abort(new Suspension());
  }

  giveWay(): void {
    if (this.#inBackground) this.abort();
  }

  /**
   * Requests one after the present run; all instructions apply. @param instructions priorities of
   * the summary
   */
  want(instructions: string): void {
    this.#wanted ??= new Set();
    if (instructions.trim() !== '') this.#wanted.add(instructions.trim());
  }

  /** @param asker ends it when no one waits for it any more */
  async run(
    instructions: string,
    reason: 'request' | 'after_run',
    asker?: AbortSignal,
  ): Promise<CompactionOutcome | undefined> {
    this.#controller = new AbortController();
    this.#inBackground = reason === 'after_run';
    try {
      const { signal } = this.#controller;
      const either = asker === undefined ? signal : AbortSignal.any([signal, asker]);
      return await this.#services.upkeep.compaction.run(this.#session, instructions, either, reason);
    } catch (error) {
      throwIfSuspended(this.#controller.signal);
      throw error;
    } finally {
      this.#controller = undefined;
      this.#inBackground = false;
    }
  }

  takeWanted(): string | undefined {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    return wanted === undefined ? undefined : [...wanted].join('; ');
  }

  /**
   * As `run`, without anyone waiting: a failure becomes the session's. @throws BulkheadError of the
   * log
   */
  async runUnwatched(instructions: string): Promise<void> {
    try {
      await this.run(instructions, 'request');
    } catch (error) {
      const known = BulkheadError.from(error);
      if (isRecordFailure(known)) throw known;
      if (known.code !== 'cancelled' && !(known instanceof Suspension))
        this.#services.engine.onFailure(this.#session, known);
    }
  }

  isDue(): boolean {
    try {
      return this.#services.upkeep.compaction.isDue(this.#session);
    } catch {
      // The next run reports what can't be read now.
      return false;
    }
  }
}
