import { BulkheadError, type CommandEffects, type CommandProblem, type SettledAs } from '@bulkhead/protocol';
import { type ControlRecord, isAnswer } from './control-record.ts';
import { EffectsList } from './effects-list.ts';

type Word = 'stop' | 'show' | 'list' | 'commit' | 'drop';

/** The launcher says less. */
const MAX_UNSEEN = 100;

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
  readonly #write: (word: Word) => void;
  readonly #ended = Promise.withResolvers<void>();
  readonly #answer = Promise.withResolvers<SettledAs>();
  #listing:
    | { readonly list: EffectsList; readonly effects: PromiseWithResolvers<CommandEffects> }
    | undefined;
  readonly #shown: PromiseWithResolvers<void>[] = [];
  #onUnseen: ((problem: CommandProblem) => void) | undefined;
  readonly #unseen: CommandProblem[] = [];
  #stopped: string | undefined;
  #isEnded = false;
  #settled = false;
  #failure: BulkheadError | undefined;

  /** @param write sends one word to the launcher */
  constructor(write: (word: Word) => void) {
    this.#write = write;
    this.ended = this.#ended.promise;
    for (const promise of [this.ended, this.#answer.promise]) promise.catch(() => {});
  }

  /** Asks the processes to end, and ends them a moment later. */
  stop(): void {
    if (!this.#isEnded && this.#failure === undefined) this.#write('stop');
  }

  /**
   * Resolves once all earlier changes of the folder are in the view of the processes, or they have
   * ended.
   */
  show(): Promise<void> {
    if (this.#isEnded || this.#failure !== undefined) return Promise.resolve();
    const shown = Promise.withResolvers<void>();
    this.#shown.push(shown);
    this.#write('show');
    return shown.promise;
  }

  /** @param listener receives what of the later changes of the folder their view does not show */
  onUnseen(listener: (problem: CommandProblem) => void): void {
    this.#onUnseen = listener;
    for (const problem of this.#unseen.splice(0)) listener(problem);
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
    this.#showAll();
    this.#listing?.effects.reject(error);
    this.#ended.reject(error);
    this.#answer.reject(error);
  }

  #showAll(): void {
    for (const shown of this.#shown.splice(0)) shown.resolve();
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
    } else if (record.type === 'shown' && this.#shown.length > 0) {
      this.#shown.shift()?.resolve();
    } else if (record.type === 'unseen' && this.#unseen.length < MAX_UNSEEN) {
      if (this.#onUnseen === undefined) this.#unseen.push(record.problem);
      else this.#onUnseen(record.problem);
    } else if (record.type === 'left-ended') {
      this.#isEnded = true;
      this.#showAll();
      this.#ended.resolve();
    } else {
      throw unexpected(record);
    }
  }
}

function unexpected({ type }: ControlRecord): BulkheadError {
  return new BulkheadError('protocol_violation', `the launcher said "${type}", and no one asked`);
}
