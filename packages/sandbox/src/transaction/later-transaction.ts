import { BulkheadError, type CommandEffects, type SettledAs } from '@bulkhead/protocol';
import { type ControlRecord, isAnswer } from './control-record.ts';
import { EffectsList } from './effects-list.ts';

interface Listing {
  readonly list: EffectsList;
  readonly effects: PromiseWithResolvers<CommandEffects>;
}

/**
 * The engine's end of what a command writes that goes on after its transaction. Once its processes
 * have ended the launcher lists the changes as often as it is asked, and keeps what it listed last.
 */
export class LaterTransaction {
  /** Resolves once all processes have ended. */
  readonly ended: Promise<void>;
  readonly #write: (word: 'stop' | 'list' | 'commit' | 'drop') => void;
  readonly #ended = Promise.withResolvers<void>();
  readonly #answer = Promise.withResolvers<SettledAs>();
  #listing:
    | { readonly list: EffectsList; readonly effects: PromiseWithResolvers<CommandEffects> }
    | undefined;
  #stopped: string | undefined;
  #isEnded = false;
  #settled = false;
  #failure: BulkheadError | undefined;

  /** @param write sends one word to the launcher */
  constructor(write: (word: 'stop' | 'list' | 'commit' | 'drop') => void) {
    this.#write = write;
    this.ended = this.#ended.promise;
    for (const promise of [this.ended, this.#answer.promise]) promise.catch(() => {});
  }

  /** Asks the processes to end, and ends them a moment later. */
  stop(): void {
    if (!this.#isEnded && this.#failure === undefined) this.#write('stop');
  }

  /**
   * Lists the changes as they are now. Paths that others changed meanwhile are left out, with a
   * note.
   *
   * @throws BulkheadError `internal` before `ended`, while another list is made, or once settled
   */
  list(): Promise<CommandEffects> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#isEnded || this.#listing !== undefined || this.#settled) {
      return Promise.reject(
        new BulkheadError('internal', 'changes are listed one list at a time, at the end'),
      );
    }
    const effects = Promise.withResolvers<CommandEffects>();
    this.#listing = { list: new EffectsList(), effects };
    this.#write('list');
    return effects.promise;
  }

  /**
   * Keeps or discards the changes, once.
   *
   * @throws BulkheadError `sandbox_unavailable` if the launcher ended without an answer
   */
  settle(commit: boolean): Promise<SettledAs> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#isEnded || this.#listing !== undefined || this.#settled) {
      return Promise.reject(new BulkheadError('internal', 'changes are settled once, after their list'));
    }
    this.#settled = true;
    this.#write(commit ? 'commit' : 'drop');
    return this.#answer.promise;
  }

  /** @throws BulkheadError `protocol_violation` for a record that is not expected */
  take(record: ControlRecord): void {
    if (!this.#isEnded) {
      this.#takeEnd(record);
    } else if (this.#listing !== undefined) {
      this.#takeListed(record, this.#listing);
    } else {
      if (!this.#settled || !isAnswer(record)) throw unexpected(record);
      this.#answer.resolve(record);
    }
  }

  /** The channel has ended. */
  fail(error: BulkheadError): void {
    this.#failure = error;
    this.#listing?.effects.reject(error);
    this.#ended.reject(error);
    this.#answer.reject(error);
  }

  #takeListed(record: ControlRecord, { list, effects }: Listing): void {
    const listed = list.take(record);
    if (listed === undefined) return;
    this.#listing = undefined;
    effects.resolve({ ...listed, ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }) });
  }

  #takeEnd(record: ControlRecord): void {
    if (record.type === 'stopped' && this.#stopped === undefined) {
      this.#stopped = record.code;
    } else if (record.type === 'left-ended') {
      this.#isEnded = true;
      this.#ended.resolve();
    } else {
      throw unexpected(record);
    }
  }
}

function unexpected({ type }: ControlRecord): BulkheadError {
  return new BulkheadError('protocol_violation', `the launcher said "${type}", and no one asked`);
}
