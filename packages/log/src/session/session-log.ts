import {
  ALL_SESSIONS,
  type BulkheadError,
  type Clock,
  type DurableEventBody,
  type EphemeralEventBody,
  type IdSource,
  type Redaction,
  type StateName,
} from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import { isOf, type MarkType, type RecordOf, type RecordType } from '@bulkhead/protocol/records';
import {
  type AppendOptions,
  conversationOf,
  type NewRecord,
  type SessionStore,
  type StoredRecord,
} from '@bulkhead/sessions';
import { type EventLine, eventLine } from '../events/event-view.ts';
import { Subscription } from '../events/subscription.ts';
import { redactMessage, redactRecord } from '../redaction/redact-record.ts';
import { redactValue } from '../redaction/redact-value.ts';
import { type EntryEvent, entryRecord, eventBodyOf, eventRecord, markRecord } from './record-codec.ts';

/** Events buffered for one watcher before it counts as lagging [X6]. */
const SUBSCRIBER_CAPACITY = 4_096;

/** How many records to search for the last published state. */
const RECENT = 256;

/** Ephemeral events that are kept for a watcher to come, in characters. */
const MOST_LIVE = 64 * 1024;

/** Time after the end of a run in which its sender may still begin to watch, in milliseconds. */
const LATE_MS = 10_000;

/** The ephemeral events of a session's run, in order. */
interface Live {
  readonly run: string;
  readonly lines: EventLine[];
  /** In characters, of all that were streamed. */
  size: number;
  /** Monotonic time until which watchers may still come; absent while the run goes on. */
  until?: number;
}

/**
 * The only writer of a session's log, and the way to watch it. Records are committed before any
 * watcher receives them, so the end of this process can't undo them; those marked `durable` survive
 * a power loss too. Records, events and watchers keep the same order. No secret gets in except by a
 * person's own words [A7].
 */
export class SessionLog {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #redaction: Redaction;
  /** Last sequence numbers of sessions that were written to: each delta carries one. */
  readonly #lastSeqs = new Map<string, number>();
  /** Ephemeral events of a session's run: a watcher may come after its first answers were streamed [T3]. */
  readonly #live = new Map<string, Live>();
  readonly #watchers = new Map<string, Set<Subscription>>();
  readonly #watchersOfAll = new Set<Subscription>();

  constructor(parts: {
    readonly store: SessionStore;
    readonly clock: Clock;
    readonly ids: IdSource;
    readonly redaction: Redaction;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#redaction = parts.redaction;
  }

  get store(): SessionStore {
    return this.#store;
  }

  /** @throws BulkheadError `store_failed` if nothing could be made durable; then nothing was published */
  append(
    sessionId: string,
    given: readonly NewRecord[],
    wishes: AppendOptions = {},
  ): readonly StoredRecord[] {
    const records = given.map((record) => redactRecord(record, this.#redaction));
    const options = redactValue(wishes, this.#redaction);
    const stored = this.#store.append(sessionId, records, options);
    const watched = this.#watchers.has(sessionId);
    const isSeen = watched || this.#watchersOfAll.size > 0;
    for (const record of stored) {
      if (record.seq === null) continue;
      this.#lastSeqs.set(sessionId, record.seq);
      if (record.type === 'settled') this.#endLive(sessionId, record.turn);
      if (isSeen) this.#publish(sessionId, viewOf(record, record.seq), this.#watchersOfAll);
    }
    return stored;
  }

  /** Resolves once all that was appended is on the disk. @throws BulkheadError `store_failed` */
  flush(): Promise<void> {
    return this.#store.flush();
  }

  /**
   * Appends events that are no entries and promise nothing: they are as safe as the next durable commit, which
   * every effect and every answer to a person is preceded by.
   */
  events(sessionId: string, turn: string, ...bodies: readonly DurableEventBody[]): void {
    if (bodies.length === 0) return;
    const time = this.#clock.now();
    this.append(
      sessionId,
      bodies.map((body) => eventRecord(time, turn, body)),
      { durable: false },
    );
  }

  /** A record for an entry below `parent`, and the new entry's id. */
  entry(
    turn: string,
    parent: string | null,
    event: EntryEvent,
    message: Message,
  ): { readonly id: string; readonly record: NewRecord } {
    const id = this.#ids();
    const kept = redactMessage(message, this.#redaction);
    const told = redactValue(event, this.#redaction);
    return { id, record: entryRecord(this.#clock.now(), turn, { id, parent }, told, kept) };
  }

  /**
   * A record for a mark below `parent`, and the new entry's id.
   *
   * @param mark or what makes it, if it names the mark itself
   */
  mark(
    parent: string | null,
    mark: RecordOf<MarkType> | ((own: string) => RecordOf<MarkType>),
    turn = '',
  ): { readonly id: string; readonly record: NewRecord } {
    const id = this.#ids();
    const made = typeof mark === 'function' ? mark(id) : mark;
    return { id, record: markRecord(this.#clock.now(), { id, parent }, made, turn) };
  }

  /** The last recorded state of the session: idle, unless a crash came between. */
  lastState(sessionId: string): StateName {
    return this.#lastOf(sessionId, 'state_change')?.body.to ?? 'idle';
  }

  /** True if the last published state has no pending messages, or no recent one exists. */
  lastSaidNothingWaits(sessionId: string): boolean {
    const last = this.#lastOf(sessionId, 'queue_update');
    return last === undefined || last.body.steer.length + last.body.followUp.length === 0;
  }

  /** Tells watchers something that is not kept. */
  ephemeral(sessionId: string, turn: string, body: EphemeralEventBody): void {
    const line = this.#ephemeralLine(sessionId, turn, body);
    const known = this.#live.get(sessionId);
    const live: Live = known?.run === turn ? known : { run: turn, lines: [], size: 0 };
    live.size += line.json.length;
    if (live.size <= MOST_LIVE) live.lines.push(line);
    else live.lines.length = 0;
    this.#live.set(sessionId, live);
    this.#publish(sessionId, line);
  }

  /** Durable events after `afterSeq`, then live ones. Close it when done. */
  watch(sessionId: string, afterSeq: number): Subscription {
    const watchers = this.#watchers.get(sessionId) ?? new Set();
    this.#watchers.set(sessionId, watchers);
    const subscription = new Subscription({
      afterSeq,
      capacity: SUBSCRIBER_CAPACITY,
      replay: (after, limit) => this.eventsAfter(sessionId, after, limit),
      // A watcher that has seen the event at `afterSeq` may have seen what followed it, too.
      live: () => this.#liveOf(sessionId).filter(({ seq }) => seq > afterSeq + 1),
      gap: (after) => this.#gap(sessionId, after),
    });
    watchers.add(subscription);
    return subscription;
  }

  /**
   * Durable events of all sessions from now on. There is no going back to what this watcher was not there for, or too slow for: a `gap`
   * says so, first of all and whenever it was. Close it when done.
   */
  watchAll(): Subscription {
    const gap = () => {
      const where = { seq: 0, time: this.#clock.now(), session: ALL_SESSIONS, turn: '' };
      return eventLine(where, { type: 'gap', after: 0 }, true);
    };
    const subscription = new Subscription({
      afterSeq: 0,
      capacity: SUBSCRIBER_CAPACITY,
      gap,
    });
    this.#watchersOfAll.add(subscription);
    return subscription;
  }

  unwatchAll(subscription: Subscription): void {
    subscription.close();
    this.#watchersOfAll.delete(subscription);
  }

  /**
   * Ends every watch of a session that was deleted, or can't go on.
   *
   * @param failure the error that watchers receive; without it, the stream just ends
   */
  endWatches(sessionId: string, failure?: BulkheadError): void {
    for (const watcher of this.#watchers.get(sessionId) ?? []) watcher.close(failure);
    this.#watchers.delete(sessionId);
    this.#lastSeqs.delete(sessionId);
    this.#live.delete(sessionId);
  }

  /**
   * Ends every watch because the engine stops: watchers receive the error, and connect to the next
   * engine.
   */
  endAllWatches(failure: BulkheadError): void {
    for (const sessionId of [...this.#watchers.keys()]) this.endWatches(sessionId, failure);
    for (const watcher of this.#watchersOfAll) watcher.close(failure);
    this.#watchersOfAll.clear();
  }

  unwatch(sessionId: string, subscription: Subscription): void {
    subscription.close();
    const watchers = this.#watchers.get(sessionId);
    watchers?.delete(subscription);
    if (watchers?.size === 0) this.#watchers.delete(sessionId);
  }

  eventsAfter(sessionId: string, seq: number, limit: number): readonly EventLine[] {
    return this.#store
      .records(sessionId, { seq }, limit)
      .flatMap((record) => (record.seq === null ? [] : [viewOf(record, record.seq)]));
  }

  /** The newest part of the conversation up to `leaf`, at most about `bytes` of it, as a model is shown it. */
  conversation(sessionId: string, leaf: string | null, bytes: number): Message[] {
    return conversationOf(this.#store.recentBranch(sessionId, leaf, bytes).entries);
  }

  #lastOf<Type extends RecordType>(
    sessionId: string,
    type: Type,
  ): Extract<StoredRecord, { readonly type: Type }> | undefined {
    const last = this.#store.lastSeq(sessionId);
    const recent = this.#store.records(sessionId, { seq: Math.max(0, last - RECENT) }, RECENT);
    return recent.findLast(isOf(type));
  }

  /** A fast run may be over before its sender watches: its events are kept for a moment [T3]. */
  #endLive(sessionId: string, run: string): void {
    const now = this.#clock.monotonic();
    for (const [id, { until }] of this.#live) if (until !== undefined && until < now) this.#live.delete(id);
    const live = this.#live.get(sessionId);
    // A waiting message that is withdrawn ends no run.
    if (live?.run === run) live.until ??= now + LATE_MS;
  }

  #liveOf(sessionId: string): readonly EventLine[] {
    const live = this.#live.get(sessionId);
    if (live?.until === undefined) return live?.lines ?? [];
    return this.#clock.monotonic() <= live.until ? live.lines : [];
  }

  #gap(sessionId: string, after: number): EventLine {
    const where = { seq: after + 1, time: this.#clock.now(), session: sessionId, turn: '' };
    return eventLine(where, { type: 'gap', after }, true);
  }

  #ephemeralLine(sessionId: string, turn: string, body: EphemeralEventBody): EventLine {
    const seq = (this.#lastSeqs.get(sessionId) ?? this.#store.lastSeq(sessionId)) + 1;
    return eventLine({ seq, time: this.#clock.now(), session: sessionId, turn }, body, true);
  }

  #publish(sessionId: string, line: EventLine, more: Iterable<Subscription> = []): void {
    for (const watcher of this.#watchers.get(sessionId) ?? []) watcher.push(line);
    for (const watcher of more) watcher.push(line);
  }
}

function viewOf(record: StoredRecord, seq: number): EventLine {
  return eventLine(
    { seq, time: record.time, session: record.sessionId, turn: record.turn },
    eventBodyOf(record),
  );
}
