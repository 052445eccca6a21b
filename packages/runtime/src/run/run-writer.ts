import type { AcceptedInput } from '@bulkhead/log/session/accepted-input';
import type { WholeCompaction } from '@bulkhead/log/session/compaction-record';
import { NO_USAGE, userMessage } from '@bulkhead/log/session/message-view';
import type { EntryEvent } from '@bulkhead/log/session/record-codec';
import { eventRecord, noteRecord } from '@bulkhead/log/session/record-codec';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { BulkheadError, type Clock, type DurableEventBody } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import type { ModelCallBody, NewLogRecord } from '@bulkhead/protocol/records';
import type { NewRecord } from '@bulkhead/sessions';
import type { RunProgress } from './run-progress.ts';

/** The parts of one run's records. */
export interface RunWriterParts {
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly sessionId: string;
  readonly runId: string;
  readonly messageId: string;
  readonly progress: RunProgress;
  readonly offTheRecord: boolean;
  /** `off`: nothing of the run is boxed, and its first event says so. */
  readonly boxes: 'on' | 'off';
}

/** Makes the records of one run, keeps its progress in step with them, and writes them, whole or not at all. */
export class RunWriter {
  readonly #log: SessionLog;
  readonly #clock: Clock;
  readonly #session: string;
  readonly #run: string;
  readonly #message: string;
  readonly #progress: RunProgress;
  readonly #offTheRecord: boolean;
  readonly #boxes: 'on' | 'off';
  #failure: BulkheadError | undefined;

  constructor(parts: RunWriterParts) {
    this.#log = parts.log;
    this.#clock = parts.clock;
    this.#session = parts.sessionId;
    this.#run = parts.runId;
    this.#message = parts.messageId;
    this.#progress = parts.progress;
    this.#offTheRecord = parts.offTheRecord;
    this.#boxes = parts.boxes;
  }

  /**
   * One commit. After one that failed, what is known here is more than what is kept: only the log may be gone on from.
   *
   * @throws BulkheadError what the first failure was
   */
  append(records: readonly NewRecord[], options: { leaf?: string | null; durable?: boolean }): void {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      this.#log.append(this.#session, records, options);
    } catch (error) {
      this.#failure = BulkheadError.from(error);
      throw this.#failure;
    }
  }

  /** Records that clients see. */
  events(...bodies: readonly DurableEventBody[]): NewRecord[] {
    const time = this.#clock.now();
    return bodies.map((body) => eventRecord(time, this.#run, body));
  }

  /** The first event of the run. */
  start(): DurableEventBody {
    const message = this.#message;
    return this.#boxes === 'off'
      ? { type: 'agent_start', message, sandbox: 'off' }
      : { type: 'agent_start', message };
  }

  /** A record that no client sees. */
  note(note: NewLogRecord): NewRecord {
    return noteRecord(this.#clock.now(), this.#run, note);
  }

  /** The next message of the conversation. */
  entry(event: EntryEvent, message: Message): NewRecord {
    const { id, record } = this.#log.entry(this.#run, this.#progress.parent, event, message);
    this.#progress.parent = id;
    this.#progress.firstEntry ??= id;
    this.#progress.messages.push(message);
    return record;
  }

  /** A person's message as the next of the conversation. One that isn't the run's own is settled by joining it. */
  userEntry({ messageId, content, images, attachments, origin }: AcceptedInput): NewRecord[] {
    const entry = this.entry(
      { type: 'message_end', role: 'user', input: messageId, ...(origin === undefined ? {} : { origin }) },
      userMessage(content, images, attachments),
    );
    const merged = messageId === this.#message ? [] : this.events(mergedEvent(messageId));
    return [...this.events({ type: 'message_start', role: 'user' }), entry, ...merged];
  }

  /** A summary that stands for what is above it, as the next entry. @returns its id, and the record */
  compaction(body: WholeCompaction): { readonly id: string; readonly record: NewRecord } {
    const mark = this.#log.mark(this.#progress.parent, { type: 'compaction', body }, this.#run);
    this.#progress.parent = mark.id;
    return mark;
  }

  /** Off the record, what it cost is counted all the same, and nothing else of it. */
  modelCall(call: ModelCallBody): NewRecord {
    this.#progress.totals.add(call);
    if (this.#offTheRecord) this.#log.store.addSpending(call, this.#clock.now());
    return this.note({ type: 'model_call', body: call });
  }

  /** A failed attempt goes back to here, and no further. */
  keep(): void {
    this.#progress.kept = { parent: this.#progress.parent, messages: this.#progress.messages.length };
  }
}

function mergedEvent(message: string): DurableEventBody {
  return { type: 'settled', message, outcome: 'merged', answer: '', usage: NO_USAGE, cost: 0, rounds: 0 };
}
