import type { Duplex } from 'node:stream';
import { BulkheadError, type CommandEffects, type SettledAs } from '@bulkhead/protocol';
import { type ControlRecord, isAnswer, parseControlRecord } from './control-record.ts';
import { EffectsList } from './effects-list.ts';
import { LaterTransaction } from './later-transaction.ts';

/** The launcher watches no more. */
const MAX_OPENED = 64;

/**
 * The engine's end of a command that runs on an overlay. The launcher reports the end of the
 * command and all its processes, then the changes, and waits; changes are kept only by
 * `settle(true)`. A channel that ends or breaks the order rejects the pending promises: then
 * recovery must find the outcome.
 */
export class ShellTransaction {
  /**
   * Resolves with the command's exit status once all its processes are dead, or those that it left
   * go on without effect on its changes.
   */
  readonly ended: Promise<number>;
  /** Resolves once the launcher asks for a decision. */
  readonly effects: Promise<CommandEffects>;
  /** The changes of the processes that go on after `ended`; begins once this is settled. */
  readonly later: LaterTransaction;
  readonly #channel: Duplex;
  readonly #opened: string[] = [];
  readonly #ended = Promise.withResolvers<number>();
  readonly #effects = Promise.withResolvers<CommandEffects>();
  readonly #answer = Promise.withResolvers<SettledAs>();
  #hasEnded = false;
  #asked = false;
  #settled = false;
  #stopping = false;
  #left = false;
  #goesOn = false;
  #answered = false;

  /** @param channel the other end of the launcher's descriptor 3 */
  constructor(channel: Duplex) {
    this.#channel = channel;
    this.later = new LaterTransaction((word) => channel.write(`${word}\n`));
    this.ended = this.#ended.promise;
    this.effects = this.#effects.promise;
    for (const promise of [this.ended, this.effects, this.#answer.promise]) promise.catch(() => {});
    channel.on('error', () => {});
    void this.#follow();
  }

  /** True if processes go on after `ended`. They end with the channel, or by `later.stop`. */
  get left(): boolean {
    return this.#left;
  }

  /** True if the command itself goes on after `ended`; it has no changes yet. */
  get goesOn(): boolean {
    return this.#goesOn;
  }

  /**
   * Has the command go on after its call, if it still runs then: `ended` resolves, and `goesOn` tells
   * which. Only for one that may leave processes; any other is stopped.
   */
  leave(): void {
    if (!this.#stopping && !this.#asked) this.#channel.write('leave\n');
  }

  /**
   * Once it has `ended`: hidden files that it opened, by their paths below the working folder. Only
   * the first 64 are watched, and none where the kernel watches no more.
   */
  get opened(): readonly string[] {
    return this.#opened;
  }

  /**
   * Decides once about the changes.
   *
   * @throws BulkheadError `sandbox_unavailable` if the launcher ended without an answer: its
   * outcome is then unknown
   * @throws BulkheadError `internal` before the launcher asked, or on a second call
   */
  settle(commit: boolean): Promise<SettledAs> {
    if (!this.#asked || this.#settled) {
      return Promise.reject(new BulkheadError('internal', 'a command is settled once, when it has ended'));
    }
    if (commit && this.#stopping) {
      return Promise.reject(new BulkheadError('internal', 'a command that was stopped is not kept'));
    }
    this.#settled = true;
    this.#channel.write(commit ? 'commit\n' : 'drop\n');
    return this.#answer.promise;
  }

  /**
   * Ends the command if it still runs. Its changes are still reported and can only be discarded.
   */
  stop(): void {
    if (this.#stopping || this.#settled) return;
    this.#stopping = true;
    this.#channel.write('stop\n');
  }

  /** Ends the channel; a launcher that still waits discards the changes. */
  close(): void {
    this.#channel.destroy();
  }

  async #follow(): Promise<void> {
    const splitter = new RecordSplitter();
    const list = new EffectsList();
    try {
      for await (const chunk of this.#channel) {
        if (!(chunk instanceof Uint8Array))
          throw new BulkheadError('internal', 'the control channel gave text');
        for (const record of splitter.add(chunk)) this.#take(parseControlRecord(record), list);
      }
      this.#fail(closed(splitter.isWhole ? 'ended' : 'ended within a record'));
    } catch (error) {
      this.#fail(BulkheadError.is(error) ? error : closed('broke', error));
      this.close();
    }
  }

  #take(record: ControlRecord, list: EffectsList): void {
    if (this.#answered && this.#left) {
      this.later.take(record);
      return;
    }
    if (this.#asked) {
      this.#answer.resolve(this.#answerOf(record));
      this.#answered = true;
      return;
    }
    if (record.type === 'opened') {
      this.#takeOpened(record.path);
      return;
    }
    const effects = list.take(record);
    if (record.type === 'left' || record.type === 'goes-on') this.#left = true;
    if (record.type === 'goes-on') this.#goesOn = true;
    if (record.type === 'ended') {
      this.#hasEnded = true;
      this.#ended.resolve(record.status);
    }
    if (effects === undefined) return;
    this.#asked = true;
    this.#effects.resolve(effects);
  }

  #takeOpened(path: Uint8Array): void {
    if (this.#hasEnded || this.#opened.length >= MAX_OPENED)
      throw new BulkheadError('protocol_violation', 'the launcher told of an open file out of place');
    const name = Buffer.from(path);
    const text = name.toString('utf8');
    // No hidden file has such a name: the caller named them as text.
    if (Buffer.from(text).equals(name)) this.#opened.push(text);
  }

  #answerOf(record: ControlRecord): SettledAs {
    // A stop that came after the command's end was taken as the answer.
    if (isAnswer(record) && (this.#settled || (this.#stopping && record.type === 'dropped'))) return record;
    throw new BulkheadError('protocol_violation', `the launcher answered "${record.type}" to no question`);
  }

  #fail(error: BulkheadError): void {
    this.#ended.reject(error);
    this.#effects.reject(error);
    this.#answer.reject(error);
    this.later.fail(error);
  }
}

function closed(how: string, cause?: unknown): BulkheadError {
  return new BulkheadError('sandbox_unavailable', `the launcher's control channel ${how}`, { cause });
}

/** Longest path and link target that a kernel accepts, plus the fields before them. */
const MAX_RECORD_BYTES = 16 * 1024;

/**
 * Splits a stream of chunks into records that end with NUL. Keeps at most one unfinished record.
 */
export class RecordSplitter {
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  /** True if the stream may end here. */
  get isWhole(): boolean {
    return this.#heldBytes === 0;
  }

  /** @throws BulkheadError `protocol_violation` for a record longer than the limit */
  *add(chunk: Uint8Array): Generator<Uint8Array> {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      this.#hold(rest.subarray(0, end));
      const record = Buffer.concat(this.#held);
      this.#held = [];
      this.#heldBytes = 0;
      rest = rest.subarray(end + 1);
      yield record;
    }
    if (rest.length > 0) this.#hold(Uint8Array.from(rest));
  }

  #hold(bytes: Uint8Array): void {
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > MAX_RECORD_BYTES) {
      throw new BulkheadError('protocol_violation', 'a record of the launcher is too long');
    }
    this.#held.push(bytes);
  }
}
