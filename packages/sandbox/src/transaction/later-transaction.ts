import { BulkheadError, type CommandEffects, type CommandProblem, type SettledAs } from '@bulkhead/protocol';
import { type ControlRecord, isAnswer } from './control-record.ts';
import { EffectsList } from './effects-list.ts';

type Word = 'stop' | 'show' | 'quiet' | 'list' | 'commit' | 'drop';

/** The launcher says less. */
const MAX_UNSEEN = 100;

interface Listing {
  readonly list: EffectsList;
  readonly effects: PromiseWithResolvers<CommandEffects>;
}

/** The steps of settling changes while the processes go on. */
type Quiet =
  | {
      readonly step: 'listing';
      readonly list: EffectsList;
      readonly effects: PromiseWithResolvers<CommandEffects | undefined>;
    }
  | { readonly step: 'listed' }
  | { readonly step: 'settling'; readonly answer: PromiseWithResolvers<SettledAs> };

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
  #quiet: Quiet | undefined;
  #onQuiet: (() => void) | undefined;
  #isQuiet = false;
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

  /** True once the launcher answers no more. */
  get isLost(): boolean {
    return this.#failure !== undefined;
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
   * @param listener is called each time that the processes have been quiet for a while, and have
   *   changed something since the last time
   */
  onQuiet(listener: () => void): void {
    this.#onQuiet = listener;
    if (this.#isQuiet) listener();
    this.#isQuiet = false;
  }

  /**
   * Lists the changes while the processes go on. Paths that others changed meanwhile are left out, with
   * a note. Then `settleQuiet` must follow.
   *
   * @returns undefined if they are not quiet any more, or have ended
   * @throws BulkheadError `internal` while that is done
   */
  listQuiet(): Promise<CommandEffects | undefined> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#isEnded) return Promise.resolve(undefined);
    if (this.#quiet !== undefined)
      return Promise.reject(new BulkheadError('internal', 'one quiet moment is settled at a time'));
    const effects = Promise.withResolvers<CommandEffects | undefined>();
    this.#quiet = { step: 'listing', list: new EffectsList(), effects };
    this.#write('quiet');
    return effects.promise;
  }

  /**
   * Keeps or discards what `listQuiet` gave. The processes go on, also with what is discarded.
   *
   * @throws BulkheadError `sandbox_unavailable` if the launcher ended without an answer
   */
  settleQuiet(commit: boolean): Promise<SettledAs> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#quiet?.step !== 'listed')
      return Promise.reject(new BulkheadError('internal', 'a quiet moment is settled once, after its list'));
    const answer = Promise.withResolvers<SettledAs>();
    this.#quiet = { step: 'settling', answer };
    this.#write(commit ? 'commit' : 'drop');
    return answer.promise;
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
    if (this.#quiet?.step === 'listing') this.#quiet.effects.reject(error);
    if (this.#quiet?.step === 'settling') this.#quiet.answer.reject(error);
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
      this.#end();
    } else {
      this.#takeQuiet(record);
    }
  }

  #end(): void {
    this.#isEnded = true;
    this.#showAll();
    if (this.#quiet?.step === 'listing') this.#quiet.effects.resolve(undefined);
    this.#quiet = undefined;
    this.#ended.resolve();
  }

  #takeQuiet(record: ControlRecord): void {
    const quiet = this.#quiet;
    if (record.type === 'quiet') {
      if (this.#onQuiet === undefined) this.#isQuiet = true;
      else this.#onQuiet();
    } else if (quiet?.step === 'listing' && record.type === 'busy') {
      this.#quiet = undefined;
      quiet.effects.resolve(undefined);
    } else if (quiet?.step === 'listing') {
      const listed = quiet.list.take(record);
      if (listed === undefined) return;
      this.#quiet = { step: 'listed' };
      quiet.effects.resolve(listed);
    } else {
      if (quiet?.step !== 'settling' || !isAnswer(record)) throw unexpected(record);
      this.#quiet = undefined;
      quiet.answer.resolve(record);
    }
  }
}

function unexpected({ type }: ControlRecord): BulkheadError {
  return new BulkheadError('protocol_violation', `the launcher said "${type}", and no one asked`);
}
