import type { BulkheadError } from '@bulkhead/protocol';
import type { EventLine } from './event-view.ts';

/** Durable events of the session after `seq`, oldest first, at most `limit`. */
export type Replay = (afterSeq: number, limit: number) => readonly EventLine[];

/** Of the log, read at once: as many events as are likely to be of a size that may wait. */
const MOST_IN_PAGE = 256;
const FIRST_PAGE = 16;

/** Limit of events waiting for one watcher, in characters; those beyond are read from the log. */
const MAX_WAITING = 256 * 1024;

/** Limit of a page of the log waiting for a watcher, in characters; a larger event waits alone. */
const PAGE_SIZE = 128 * 1024;

/**
 * One watcher of a session. `push` never waits: past `capacity` events, or `MAX_WAITING` of them,
 * the watcher lags. Later events are dropped and read from the log, which holds every durable
 * event. Before the watcher reads on there, it receives a `gap` if an event was dropped that is not
 * in the log, even while an earlier part of the log was read. So a slow watcher loses deltas, never
 * durable events, always receives a notice, and never delays the session [X6].
 */
export class Subscription implements AsyncIterable<EventLine> {
  #queue: EventLine[] = [];
  #waiting = 0;
  #page = FIRST_PAGE;
  #lastSeq: number;
  /** True while the log, not the queue, is what comes next. */
  #replaying = true;
  /** Events missing in the log were dropped, and the watcher has no notice of it yet. */
  #missed = false;
  #closed = false;
  #failure: BulkheadError | undefined;
  #wake: (() => void) | undefined;

  /** Until the first step from log to live: events that no log has, each before the durable one of its sequence number. */
  #live: (() => readonly EventLine[]) | undefined;
  readonly #replay: Replay | undefined;
  readonly #gap: (afterSeq: number) => EventLine;
  readonly #capacity: number;

  constructor(options: {
    readonly afterSeq: number;
    /** Without, what was dropped can't be read again. */
    readonly replay?: Replay;
    /** Ephemeral events of the run under way, in order, of which this watcher has seen none. */
    readonly live?: () => readonly EventLine[];
    readonly gap: (afterSeq: number) => EventLine;
    readonly capacity: number;
  }) {
    this.#lastSeq = options.afterSeq;
    this.#replay = options.replay;
    this.#live = options.live;
    this.#gap = options.gap;
    this.#capacity = options.capacity;
    if (options.replay !== undefined) return;
    // No log tells what came before: live from now on.
    this.#queue.push(options.gap(options.afterSeq));
    this.#replaying = false;
  }

  push(line: EventLine): void {
    if (this.#closed) return;
    if (!this.#replaying && this.#hasRoomFor(line)) {
      this.#queue.push(line);
      this.#waiting += line.json.length;
    } else {
      this.#replaying = true;
      if (line.ephemeral || this.#replay === undefined) this.#missed = true;
    }
    this.#wake?.();
  }

  /** @param failure thrown to the reader */
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

  /** One event alone has room with a watcher that waits for it, or one that keeps up would never be given a large one. */
  #hasRoomFor({ json }: EventLine): boolean {
    if (this.#wake !== undefined && this.#queue.length === 0) return true;
    return this.#queue.length < this.#capacity && this.#waiting + json.length <= MAX_WAITING;
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
    const gap = this.#missed ? [this.#gap(this.#lastSeq)] : [];
    if (this.#missed) this.#live = undefined;
    this.#missed = false;
    const page = this.#withLive(this.#readOn());
    if (!this.#replaying) this.#live = undefined;
    return [...gap, ...page];
  }

  /** A page of the log with what was streamed between its events; at the end of the log also what came after them. */
  #withLive(page: readonly EventLine[]): readonly EventLine[] {
    const live = this.#live?.().filter(({ seq }) => seq > this.#lastSeq) ?? [];
    if (live.length === 0) return page;
    const end = this.#replaying ? (page.at(-1)?.seq ?? 0) : Number.POSITIVE_INFINITY;
    const merged = [...live.filter(({ seq }) => seq <= end), ...page];
    return merged.sort((a, b) => a.seq - b.seq || Number(b.ephemeral) - Number(a.ephemeral));
  }

  #readOn(): readonly EventLine[] {
    const asked = this.#page;
    const page = this.#replay?.(this.#lastSeq, asked) ?? [];
    let size = 0;
    const over = page.findIndex(({ json }) => {
      size += json.length;
      return size > PAGE_SIZE;
    });
    // A page waits as a whole: few large events, or many small ones.
    if (over >= 0) this.#page = Math.max(1, Math.floor(asked / 4));
    else if (size < PAGE_SIZE / 4) this.#page = Math.min(MOST_IN_PAGE, asked * 2);
    if (over >= 0) return page.slice(0, Math.max(1, over));
    if (page.length < asked) this.#replaying = false;
    return page;
  }

  async #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
    this.#wake = undefined;
  }
}
