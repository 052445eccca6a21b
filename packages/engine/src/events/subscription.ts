import type { BulkheadError } from '@bulkhead/protocol';
import type { EventLine } from './event-view.ts';

/** Durable events of the session after `seq`, oldest first, at most `limit`. */
export type Replay = (afterSeq: number, limit: number) => readonly EventLine[];

/** Of the log, read at once: as many events as are likely to be of a size that may wait. */
const MOST_IN_PAGE = 256;
const FIRST_PAGE = 16;

/**
 * What waits for one watcher, in characters of its events: what comes beyond that is read from the log again. All watchers share
 * the text of an event. One round of a large answer, with its calls in events of their own, must fit: it is told at once.
 */
const MAX_WAITING = 4 * 1024 * 1024;

/** What is read from the log at once, in characters. */
const PAGE_SIZE = 256 * 1024;

/**
 * One watcher of a session. `push` never waits: past `capacity` events, or `MAX_WAITING` of them, the watcher lags, what comes
 * is dropped, and once it has read what it had it is told by a `gap` and fed from the log again. So a slow
 * watcher costs deltas, never durable events, and never holds up the session [X6].
 */
export class Subscription implements AsyncIterable<EventLine> {
  #queue: EventLine[] = [];
  #waiting = 0;
  #page = FIRST_PAGE;
  #lastSeq: number;
  /** True while the log, not the queue, is what comes next. */
  #replaying = true;
  #closed = false;
  #failure: BulkheadError | undefined;
  #wake: (() => void) | undefined;

  readonly #replay: Replay;
  readonly #gap: (afterSeq: number) => EventLine;
  readonly #capacity: number;

  constructor(options: {
    readonly afterSeq: number;
    readonly replay: Replay;
    readonly gap: (afterSeq: number) => EventLine;
    readonly capacity: number;
  }) {
    this.#lastSeq = options.afterSeq;
    this.#replay = options.replay;
    this.#gap = options.gap;
    this.#capacity = options.capacity;
  }

  /** Live from now on, beginning with a gap: for a watcher that no log can tell what came before. */
  begin(): void {
    this.#queue.push(this.#gap(this.#lastSeq));
    this.#replaying = false;
  }

  push(line: EventLine): void {
    if (this.#closed || this.#replaying) return;
    const waiting = this.#waiting + line.json.length;
    // One event alone always has room, or a watcher that keeps up would never be given a large one.
    const isFull = this.#queue.length > 0 && waiting > MAX_WAITING;
    if (isFull || this.#queue.length >= this.#capacity) {
      this.#queue.push(this.#gap(this.#lastQueuedSeq()));
      this.#replaying = true;
    } else {
      this.#queue.push(line);
      this.#waiting = waiting;
    }
    this.#wake?.();
  }

  /** @param failure thrown to whoever reads */
  close(failure?: BulkheadError): void {
    this.#closed = true;
    this.#failure ??= failure;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EventLine> {
    while (!this.#closed) {
      const batch = this.#take();
      for (const line of batch) {
        if (!line.ephemeral) this.#lastSeq = Math.max(this.#lastSeq, line.seq);
        yield line;
      }
      if (batch.length === 0 && !this.#replaying) await this.#more();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Queue first, log second. The step from log to live is taken without waiting, so nothing falls between. */
  #take(): readonly EventLine[] {
    if (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      this.#waiting = 0;
      return batch;
    }
    if (!this.#replaying) return [];
    const asked = this.#page;
    const page = this.#replay(this.#lastSeq, asked);
    if (page.length < asked) this.#replaying = false;
    const size = page.reduce((sum, { json }) => sum + json.length, 0);
    // A page waits as a whole: few large events, or many small ones.
    if (size > PAGE_SIZE) this.#page = Math.max(1, Math.floor(asked / 4));
    else if (size < PAGE_SIZE / 4) this.#page = Math.min(MOST_IN_PAGE, asked * 2);
    return page;
  }

  #lastQueuedSeq(): number {
    const last = this.#queue.findLast((line) => !line.ephemeral);
    return last?.seq ?? this.#lastSeq;
  }

  async #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
    this.#wake = undefined;
  }
}
