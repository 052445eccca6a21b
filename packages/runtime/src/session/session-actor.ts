import { isRecordFailure } from '@bulkhead/log/context';
import { type AcceptedInput, inputBody, readInput } from '@bulkhead/log/session/accepted-input';
import { NO_USAGE } from '@bulkhead/log/session/message-view';
import { eventRecord, noteRecord } from '@bulkhead/log/session/record-codec';
import { SessionState } from '@bulkhead/log/session/session-state';
import { Suspension } from '@bulkhead/log/suspension/suspension';
import { BulkheadError, type DurableEventBody, faultPoint } from '@bulkhead/protocol';
import type { OpenInput } from '@bulkhead/sessions';
import { openDoubts } from '../recovery/open-doubts.ts';
import { endOfRun } from '../run/end-of-run.ts';
import { wait } from '../run/wait.ts';
import { engineStops, type Phase, queueIsFull, sessionIsBusy, unreadable } from './actor-errors.ts';
import { CompactionWork } from './compaction-work.ts';
import type { CompactionOutcome } from './session-compaction.ts';
import type { SessionServices } from './session-services.ts';
import { type SessionMemory, type SessionPlace, SessionTurn } from './session-turn.ts';
import { WaitingMessages } from './waiting-messages.ts';

/** How long a session waits before it tries to write its log again, after a disk that was full. */
const DISK_RETRY_MS = 2_000;

const MAX_WAITING = 256;

/** A message a crash left open. */
interface Interrupted {
  readonly input: AcceptedInput;
  /** Where its records begin. */
  readonly pos: number;
  /** True if it was this engine that could not go on, because a disk was full. */
  readonly stoodStill: boolean;
}

/**
 * The one owner of a session: takes its accepted messages one after the other and runs each to its
 * end. Nothing else runs a turn of the session [P9]. The open messages in the log are always the
 * waiting ones: the actor can lose its memory at any point, and read it back.
 */
export class SessionActor {
  readonly #services: SessionServices;
  readonly #place: SessionPlace;
  readonly #waiting = new WaitingMessages();
  readonly #memory: SessionMemory;
  #interrupted: Interrupted[] = [];
  /** The message whose run is about to begin. */
  #beginning: string | undefined;
  /** Messages whose run was cancelled before it began, or while the log could not be written. */
  readonly #cancelled = new Set<string>();
  #phase: Phase = 'idle';
  /** Why this actor can't go on: what it knows is no longer what the log says. */
  #failure: BulkheadError | undefined;
  #turn: SessionTurn | undefined;
  readonly #compaction: CompactionWork;
  #stopping = new AbortController();
  #drained: Promise<void> = Promise.resolve();

  constructor(services: SessionServices, place: SessionPlace) {
    this.#services = services;
    this.#place = place;
    const doubtful = openDoubts(services.context.log.store, place.id);
    this.#compaction = new CompactionWork(services, place.id);
    this.#memory = { waiting: this.#waiting, doubtful };
  }

  get busy(): boolean {
    return this.#phase !== 'idle';
  }

  /**
   * Commits a message and gives it its place in line. Its sender is answered once the log is flushed: many that come at
   * once share that flush, and none of it keeps the thread.
   *
   * @returns its position in the log
   * @throws BulkheadError `busy` for one that must not wait; `store_failed` if it could not be kept: then it was not taken
   */
  accept(input: AcceptedInput): number {
    if (input.delivery === 'invoke' && !this.#compaction.inBackground) this.needIdle('start a run');
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#waiting.count >= MAX_WAITING) throw queueIsFull(this.#place.id, MAX_WAITING);
    const { clock, log } = this.#services.context;
    const accepted = noteRecord(
      clock.now(),
      '',
      { type: 'input_accepted', body: inputBody(input) },
      input.messageId,
    );
    let pos = 0;
    this.#waiting.together(
      () => this.#waiting.add(input),
      () => {
        faultPoint('input.before_accept');
        const records = [accepted, ...(this.busy ? this.#news() : [])];
        const [stored] = log.append(this.#place.id, records, { durable: false });
        pos = stored?.pos ?? 0;
      },
    );
    faultPoint('input.after_accept');
    // A run that has not begun is not interrupted: its message waits behind this one.
    if (input.delivery === 'interrupt') this.#endWork();
    this.#compaction.giveWay();
    this.#begin();
    return pos;
  }

  /** Takes up what an earlier engine left open, in the order it was accepted. */
  restore(open: readonly OpenInput[], stoodStill = false): void {
    this.#waiting.clear(this.#services.context.log.lastSaidNothingWaits(this.#place.id));
    for (const { messageId, body, pos } of open) {
      const input = body === undefined ? undefined : readInput(messageId, body);
      if (input === undefined) this.#giveUp(messageId, unreadable());
      else if (this.#wasStarted(messageId, pos)) this.#interrupted.push({ input, pos, stoodStill });
      else this.#waiting.add(input);
    }
    this.#begin();
  }

  /**
   * Ends what is running, or one message that waits.
   *
   * @param messageId empty for whatever is running
   * @returns false if there was nothing to end
   */
  cancel(messageId: string): boolean {
    const waiting = this.#waiting.together(
      () => (messageId === '' ? undefined : this.#waiting.remove(messageId)),
      (input) => input !== undefined && this.#settleUnrun(input.messageId),
    );
    if (waiting !== undefined) return true;
    if (messageId !== '' && this.#turn?.message.messageId !== messageId) return false;
    return this.#cancelWork();
  }

  /** Ends all that this sender asked for, running or waiting. */
  cancelOf(sender: string): void {
    for (const { messageId } of this.#waiting.of(sender)) this.cancel(messageId);
    if (this.#turn?.message.origin?.sender.id === sender) this.#cancelWork();
  }

  /** @throws BulkheadError `busy`, naming what runs [T4] */
  needIdle(purpose: string): void {
    if (this.#phase === 'idle') return;
    throw sessionIsBusy(
      this.#place.id,
      purpose,
      this.#phase,
      this.#turn?.message.messageId ?? this.#beginning ?? '',
    );
  }

  /**
   * Makes the conversation shorter for the model, now [K4].
   *
   * @param instructions what to keep above all
   * @param signal ends it, and leaves the conversation as it was
   * @throws BulkheadError `busy`; `not_available` without a compactor; the signal's reason
   */
  async runCompaction(instructions: string, signal?: AbortSignal): Promise<CompactionOutcome | undefined> {
    if (this.#stopping.signal.aborted) throw engineStops();
    this.needIdle('be compacted');
    return await this.#compact(instructions, 'request', signal);
  }

  /**
   * As `runCompaction`; while a run goes on, asks for it afterwards [K4].
   *
   * @returns `afterwards` if it is done once the run has ended
   */
  async compact(
    instructions: string,
    signal?: AbortSignal,
  ): Promise<CompactionOutcome | 'afterwards' | undefined> {
    if (this.#stopping.signal.aborted) throw engineStops();
    this.#compaction.giveWay();
    if (this.#compaction.inBackground) await this.#drained;
    if (this.#phase !== 'turn') return await this.runCompaction(instructions, signal);
    this.#compaction.want(instructions);
    return 'afterwards';
  }

  async #compact(
    instructions: string,
    reason: 'request' | 'after_run',
    signal?: AbortSignal,
  ): Promise<CompactionOutcome | undefined> {
    // Set before anything is awaited: two callers must not both pass.
    this.#phase = 'compaction';
    const work = this.#compaction.run(instructions, reason, signal);
    const done = (): void => {};
    this.#drained = work.then(done, done);
    try {
      return await work;
    } finally {
      this.#phase = 'idle';
      if (!this.#begin()) this.#sayIdle();
    }
  }

  /** Compacts a conversation that nears its limit while no one waits for anything [K4]. */
  #compactInBackground(): void {
    const mayNot = this.#stopping.signal.aborted || this.#failure !== undefined;
    if (mayNot || !this.#nothingWaits || !this.#compaction.isDue()) return;
    // Given up, or failed: the next run begins with it.
    this.#compact('', 'after_run').catch(() => {});
  }

  /**
   * Begins nothing more. Waiting messages stay in the log for the next engine; the work under way
   * may end on its own. A session off the record can't go on in the next engine, so it may use all
   * of the remaining time.
   */
  stop(): void {
    this.#stopping.abort(new Suspension());
    if (!this.#place.offTheRecord) this.#turn?.stop();
    this.#compaction.giveWay();
  }

  /**
   * After `stop`: leaves the work under way to the next engine. Off the record it can't be
   * continued: it is cancelled.
   */
  suspend(): void {
    if (this.#place.offTheRecord) this.cancel('');
    this.#turn?.suspend();
    this.#compaction.suspend();
  }

  /** Resolves when nothing is under way. */
  whenIdle(): Promise<void> {
    return this.#drained;
  }

  /** @returns true if something is under way now */
  #begin(): boolean {
    if (this.#phase !== 'idle') return true;
    const mayNot = this.#stopping.signal.aborted || this.#failure !== undefined;
    if (this.#nothingWaits || mayNot) return false;
    // Set before anything is awaited: two callers must not both start draining.
    this.#phase = 'turn';
    this.#beginning = this.#interrupted[0]?.input.messageId ?? this.#waiting.first?.messageId;
    this.#drained = this.#drain();
    return true;
  }

  async #drain(): Promise<void> {
    try {
      await this.#services.engine.breathe();
      for (let turn = this.#nextTurn(); turn !== undefined; turn = this.#nextTurn()) {
        this.#beginning = undefined;
        this.#turn = turn;
        if ((await this.#run(turn)) === 'suspended') return;
        this.#turn = undefined;
        await this.#compactWanted();
      }
      if (this.#nothingWaits) this.#sayIdle();
    } catch (error) {
      this.#failure = BulkheadError.from(error);
      // Clients would get no further events of an unreadable session; in all other cases a new
      // engine goes on.
      if (this.#failure.code === 'store_corrupt') {
        this.#services.context.log.endWatches(this.#place.id, this.#failure);
      }
      this.#services.engine.onFailure(this.#place.id, this.#failure);
    } finally {
      this.#turn = undefined;
      this.#beginning = undefined;
      this.#phase = 'idle';
      this.#compactInBackground();
    }
  }

  async #compactWanted(): Promise<void> {
    const wanted = this.#compaction.takeWanted();
    if (wanted === undefined || this.#stopping.signal.aborted) return;
    this.#phase = 'compaction';
    await this.#compaction.runUnwatched(wanted);
    this.#phase = 'turn';
  }

  /** Tells those who watch. A disk that is full now is no reason to end the session: nothing rests on this event. */
  #sayIdle(): void {
    try {
      const { log } = this.#services.context;
      // A disk that was full may have refused to say that a compaction is over.
      const idle = new SessionState(log.lastState(this.#place.id)).to('idle');
      log.events(this.#place.id, '', ...idle, { type: 'idle' });
    } catch (error) {
      const known = BulkheadError.from(error);
      if (known.code !== 'store_failed' || !known.retryable) throw known;
    }
  }

  get #nothingWaits(): boolean {
    return this.#waiting.isEmpty && this.#interrupted.length === 0;
  }

  /** @returns undefined if nothing waits, or nothing more is to begin */
  #nextTurn(): SessionTurn | undefined {
    if (this.#stopping.signal.aborted) return undefined;
    const turn = this.#interruptedTurn() ?? this.#waitingTurn();
    if (turn !== undefined && this.#cancelled.delete(turn.message.messageId)) turn.cancel();
    return turn;
  }

  #interruptedTurn(): SessionTurn | undefined {
    const next = this.#interrupted.shift();
    if (next === undefined) return undefined;
    return new SessionTurn(this.#services, this.#place, [next.input], this.#memory, next);
  }

  #waitingTurn(): SessionTurn | undefined {
    const inputs = this.#waiting.takeForRun(this.#services.settings.queues.followUp);
    if (inputs.length === 0) return undefined;
    return new SessionTurn(this.#services, this.#place, inputs, this.#memory);
  }

  /** A run whose log can't be written stands still until it can, and is then taken up from the log. */
  async #run(turn: SessionTurn): Promise<'settled' | 'suspended'> {
    try {
      if ((await turn.run()) === 'suspended') return 'suspended';
      this.#noteEnd(turn.message.messageId);
      this.#services.upkeep.titles.consider(this.#place.id, turn.modelChoice);
    } catch (error) {
      const known = BulkheadError.from(error);
      if (!isRecordFailure(known)) {
        this.#services.engine.onFailure(this.#place.id, known);
        this.#giveUp(turn.message.messageId, known);
        return 'settled';
      }
      if (known.code !== 'store_failed' || !known.retryable) throw known;
      this.#services.engine.onFailure(this.#place.id, known);
      await wait(this.#services.context.timers, DISK_RETRY_MS, this.#stopping.signal).catch(() => {});
      if (turn.cancelled) this.#cancelled.add(turn.message.messageId);
      this.#readBack();
    }
    return 'settled';
  }

  /**
   * An entry of the audit log also covers the end of a run that clients have received. Nothing
   * waits for it: until it is written, a loss of that end looks like a crash before it.
   */
  #noteEnd(message: string): void {
    const { id, offTheRecord } = this.#place;
    if (offTheRecord) return;
    const entry = {
      step: 'SETTLED',
      action: '',
      hash: '',
      session: id,
      tool: '',
      details: { message },
    } as const;
    this.#services.context.audit
      .append([entry])
      .catch((error: unknown) => this.#services.engine.onFailure(id, BulkheadError.from(error)));
  }

  #readBack(): void {
    const { id } = this.#place;
    this.#interrupted = [];
    const open = this.#services.context.log.store.openInputs().filter(({ sessionId }) => sessionId === id);
    this.restore(open, true);
  }

  #cancelWork(): boolean {
    if (this.#phase === 'idle') return false;
    this.#endWork();
    // A run that is about to begin is cancelled as soon as it has.
    if (this.#beginning !== undefined) this.#cancelled.add(this.#beginning);
    return true;
  }

  #endWork(): void {
    this.#compaction.abort();
    this.#turn?.cancel();
  }

  #wasStarted(messageId: string, pos: number): boolean {
    return this.#services.context.log.store
      .records(this.#place.id, { pos })
      .some(({ type, body }) => type === 'agent_start' && body.message === messageId);
  }

  #settleUnrun(messageId: string): void {
    const { clock, log } = this.#services.context;
    const settled: DurableEventBody = {
      type: 'settled',
      message: messageId,
      outcome: 'aborted',
      answer: '',
      usage: NO_USAGE,
      cost: 0,
      rounds: 0,
    };
    log.append(this.#place.id, [eventRecord(clock.now(), '', settled), ...this.#news()]);
  }

  /** One message that can't be read or run must not keep the others, and the engine, from going on. */
  #giveUp(messageId: string, error: BulkheadError): void {
    const { clock, log } = this.#services.context;
    const end = endOfRun(messageId, 0, NO_USAGE, 0, { outcome: 'failed', answer: '', thoughts: [], error });
    const events = end.filter(({ type }) => type === 'error' || type === 'settled');
    log.append(
      this.#place.id,
      events.map((event) => eventRecord(clock.now(), '', event)),
    );
  }

  #news() {
    const now = this.#services.context.clock.now();
    return this.#waiting.news().map((event) => eventRecord(now, '', event));
  }
}
