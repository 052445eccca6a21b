import { refuseUnsafeWorkingFolder } from '@bulkhead/actions/pipeline/protection';
import { existingFolder } from '@bulkhead/home/folder/existing-folder';
import { redactAttachment } from '@bulkhead/log/redaction/redact-record';
import type { AcceptedInput } from '@bulkhead/log/session/accepted-input';
import { type Sender, SILENT_SENDER } from '@bulkhead/log/session/sender';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import {
  importMessages,
  type NewRecord,
  type OpenInput,
  readOnlySession,
  type SessionInfo,
} from '@bulkhead/sessions';
import { AcceptedMessages } from './accepted-messages.ts';
import { engineStops } from './actor-errors.ts';
import { checkHistory, checkInput } from './check-input.ts';
import { SessionActor } from './session-actor.ts';
import type { SessionServices } from './session-services.ts';

/** The outcome of a sent message. */
export interface Acceptance {
  /** Events of this message come after this sequence number. */
  readonly afterSeq: number;
  readonly duplicate: boolean;
}

/** All sessions: makes them, takes messages for them, and keeps one actor for each that is used. */
export class Sessions {
  readonly #services: SessionServices;
  readonly #layout: HomeLayout;
  readonly #actors = new Map<string, SessionActor>();
  readonly #accepted: AcceptedMessages;
  #stopping = false;
  /** Messages that an earlier engine left open. */
  #takenUp: ReadonlySet<string> = new Set();

  constructor(services: SessionServices, layout: HomeLayout) {
    this.#services = services;
    this.#layout = layout;
    const { audit } = services.context;
    this.#accepted = new AcceptedMessages(
      audit,
      (id) => services.context.log.store.getSession(id)?.offTheRecord !== false,
    );
  }

  /**
   * @throws BulkheadError `usage` for a folder that isn't there, can't be read, or can't be worked in safely; `not_running`
   *   (retryable) while the engine stops
   * @param caller whose it is, in the same transaction; the owner's if not given
   */
  create(workingFolder: string, offTheRecord = false, caller?: string): string {
    if (this.#stopping) throw engineStops();
    this.#services.context.storage.refuseWork();
    const folder = existingFolder(workingFolder);
    this.checkFolder(folder);
    const id = this.#services.context.ids();
    const time = this.#services.context.clock.now();
    const { log } = this.#services.context;
    const records = this.firstRecords(folder, time);
    const first = { records, ...this.#keeping(caller, id) };
    log.store.createSession({ id, workingFolder: folder, time, offTheRecord }, first);
    return id;
  }

  /**
   * Creates a session with this history, as its sender reports it: it counts as foreign throughout.
   *
   * @throws BulkheadError `usage` as `create`, and for too much history
   */
  createWith(history: readonly Message[], workingFolder: string, caller?: string): string {
    if (this.#stopping) throw engineStops();
    this.#services.context.storage.refuseWork();
    checkHistory(history);
    const folder = existingFolder(workingFolder);
    this.checkFolder(folder);
    const { log, clock, ids } = this.#services.context;
    const time = clock.now();
    const first = this.firstRecords(folder, time);
    const id = ids();
    const also = this.#keeping(caller, id);
    return importMessages(log.store, history, { id, ids, workingFolder: folder, time, first, ...also }).id;
  }

  #keeping(caller: string | undefined, sessionId: string): { also?(): void } {
    if (caller === undefined) return {};
    return { also: () => this.#services.engine.keepCaller(caller, sessionId) };
  }

  /** @throws BulkheadError `usage` for a folder that can't be worked in safely */
  checkFolder(folder: string): void {
    refuseUnsafeWorkingFolder(folder, this.#layout.root);
  }

  /** The records at the start of every session of `folder`. */
  firstRecords(folder: string, time: number): readonly NewRecord[] {
    return [this.#services.processes.folders.note(folder, time)];
  }

  /**
   * The only entry for every message, from any sender [T1]: commits it, hands it to its session,
   * and sends the sender the events that follow. Resolves once it is on the disk and the audit log
   * names it. A `messageId` seen before is answered as a duplicate: it is never run twice [T2].
   *
   * @throws BulkheadError `not_found` for an unknown session, `usage` for an empty or giant
   * message, `busy` for one that must not wait, `not_running` (retryable) while the engine stops,
   * `store_failed` while a disk can't be written; `audit_failed` if the message is kept and the
   * audit log does not name it: sent again it is a duplicate
   */
  async processMessage(sender: Sender, sessionId: string, given: AcceptedInput): Promise<Acceptance> {
    const { log, redaction } = this.#services.context;
    const actor = this.actor(sessionId);
    checkInput(given);
    const { attachments = [] } = given;
    const input = { ...given, attachments: attachments.map((file) => redactAttachment(file, redaction)) };
    const known = log.store.findInput(sessionId, input.messageId);
    const afterSeq = known?.afterSeq ?? log.store.lastSeq(sessionId);
    if (known === undefined && this.#stopping) throw engineStops();
    if (known === undefined) this.#services.context.storage.refuseWork();
    // Watched before it goes in, so that nothing of it is missed [T3].
    const end = this.#tell(sender, sessionId, afterSeq, input.messageId);
    try {
      const pos = known === undefined ? actor.accept(input) : undefined;
      // An earlier one may still wait for the disk: it is not confirmed before it is kept.
      await log.flush();
      // The session's log first, then the audit log: it never names a message that a crash took.
      if (pos !== undefined)
        this.#accepted.record([{ sessionId, messageId: input.messageId, pos, origin: input.origin }]);
      await this.#accepted.recorded(sessionId, input.messageId);
    } catch (error) {
      end();
      if (BulkheadError.is(error) && error.code === 'audit_failed')
        this.#services.engine.onFailure(sessionId, error);
      throw error;
    }
    return { afterSeq, duplicate: known !== undefined };
  }

  /**
   * The actor of a session.
   *
   * @throws BulkheadError `not_found` for a session that isn't there, `store_corrupt` for one that is damaged, `not_available` for one
   *   whose log lost records
   */
  actor(sessionId: string): SessionActor {
    const session = this.session(sessionId);
    if (session.loss !== undefined) throw readOnlySession(sessionId);
    const known = this.#actors.get(sessionId);
    if (known !== undefined) return known;
    const { id, workingFolder, offTheRecord } = session;
    const actor = new SessionActor(this.#services, { id, workingFolder, offTheRecord });
    this.#actors.set(id, actor);
    if (this.#stopping) actor.stop();
    return actor;
  }

  /** @throws BulkheadError `not_found`; `busy` if something is under way in it. Damage is no matter. */
  needIdle(sessionId: string, purpose: string): void {
    if (this.#services.context.log.store.getSession(sessionId) === undefined) throw noSession(sessionId);
    this.#actors.get(sessionId)?.needIdle(purpose);
  }

  /** @throws BulkheadError `not_found`; `store_corrupt` for a session under quarantine */
  session(sessionId: string): SessionInfo {
    const session = this.#services.context.log.store.getSession(sessionId);
    if (session === undefined) throw noSession(sessionId);
    if (session.damage === '') return session;
    throw new BulkheadError('store_corrupt', `session ${sessionId} is damaged: ${session.damage}`, {
      fix: 'It was left as it is. Other sessions are not affected; restore a backup to get this one back.',
      details: { session: sessionId },
    });
  }

  /** Ends what runs in a session, or one of its messages. @returns false if there was nothing to end */
  cancel(sessionId: string, messageId = ''): boolean {
    return this.#actors.get(sessionId)?.cancel(messageId) ?? false;
  }

  /** Ends all that a sender asked for, in every session: its access was revoked, or has expired. */
  cancelOf(sender: string): void {
    for (const actor of this.#actors.values()) actor.cancelOf(sender);
  }

  get activeRuns(): number {
    return [...this.#actors.values()].filter((actor) => actor.busy).length;
  }

  /** After a stop or a crash: every message without an end is taken up where it stands [T8]. */
  recover(): void {
    const open = this.#services.context.log.store.openInputs();
    // A crash may have come before the audit log named them; what it names is on the disk before.
    const flushed = this.#services.context.log
      .flush()
      .then(() => this.#accepted.record(open.map((input) => ({ ...input, origin: input.body?.origin }))));
    // A disk that can't be flushed has reported its failure: then nothing is named, and no
    // duplicate is answered.
    flushed.catch(() => {});
    this.#takenUp = new Set(open.map(({ messageId }) => messageId));
    const bySession = Map.groupBy(open, ({ sessionId }) => sessionId);
    for (const [sessionId, own] of bySession) this.#restore(sessionId, own);
  }

  /** Takes up the open messages of one session, once a person has accepted what its log lost. */
  takeUp(sessionId: string): void {
    const open = this.#services.context.log.store
      .openInputs()
      .filter((input) => input.sessionId === sessionId);
    this.#actors.delete(sessionId);
    if (open.length > 0) this.#restore(sessionId, open);
  }

  /** How many messages that an earlier engine left open are not finished yet. */
  get continuing(): number {
    if (this.#takenUp.size === 0) return 0;
    return this.#openMessages().filter(({ messageId }) => this.#takenUp.has(messageId)).length;
  }

  /**
   * Begins nothing new, lets what is under way end for `graceMs`, then leaves it to the next engine: nothing is cancelled
   * that can go on there [P8, T8].
   *
   * @returns how many messages the next engine continues
   */
  async drain(graceMs: number): Promise<number> {
    this.#stopping = true;
    const actors = [...this.#actors.values()];
    for (const actor of actors) actor.stop();
    using _timer = this.#services.context.timers.after(graceMs, () => {
      for (const actor of actors) actor.suspend();
    });
    await Promise.allSettled(actors.map((actor) => actor.whenIdle()));
    return this.#openMessages().length;
  }

  /** Messages without an end, off the record left out: nothing continues those. */
  #openMessages(): readonly OpenInput[] {
    const { store } = this.#services.context.log;
    return store.openInputs().filter(({ sessionId }) => store.getSession(sessionId)?.offTheRecord === false);
  }

  /** Forgets a session that was deleted. */
  forget(sessionId: string): void {
    this.#actors.delete(sessionId);
    this.#services.models.ledger.forget(sessionId);
  }

  #restore(sessionId: string, open: readonly OpenInput[]): void {
    try {
      this.actor(sessionId).restore(open);
    } catch (error) {
      // One session that can't be taken up must not keep the others from it.
      this.#services.engine.onFailure(sessionId, BulkheadError.from(error));
    }
  }

  #tell(sender: Sender, sessionId: string, afterSeq: number, messageId: string): () => void {
    if (sender === SILENT_SENDER) return () => {};
    const { log } = this.#services.context;
    const subscription = log.watch(sessionId, afterSeq);
    const end = (): void => log.unwatch(sessionId, subscription);
    const telling = async (): Promise<void> => {
      for await (const line of subscription) {
        sender.sendEvent(line);
        if (line.settles === messageId) break;
      }
    };
    // A watch that ends early was ended with its session: the sender of the message gets its
    // settling later.
    telling()
      .catch(() => {})
      .finally(end);
    return end;
  }
}

/** For a session that is not there. */
export function noSession(sessionId: string): BulkheadError {
  return new BulkheadError('not_found', `there is no session ${sessionId}`, {
    fix: 'See `bulkhead sessions list`.',
  });
}
