import type { Writable } from 'node:stream';
import { encodeFrames } from './frame.ts';

/** What an entry costs beside its content: bounds the number of empty ones. */
const ENTRY_BYTES = 64;

/** Mergeable content that waits no longer for more, in bytes: a burst must reach its reader as a stream. */
const EAGER_BYTES = 4_096;

/** A message that may take in its neighbour while it waits. */
export interface MergeableMessage {
  /** What its content costs while it waits, roughly. */
  readonly bytes: number;
  /** Takes in the content of the message pushed next, if the two may go out as one; else returns false. */
  absorb(next: MergeableMessage): boolean;
  /** Called once, when it goes out. */
  encode(): Uint8Array;
}

export interface OutboxOptions {
  /** Largest message the peer accepts, in bytes. */
  readonly maxMessageBytes: number;
  /** What may wait while the peer doesn't read, in bytes. */
  readonly maxQueuedBytes: number;
  /** Called once, when more than that waits; nothing is sent from then on. */
  readonly onOverflow: () => void;
  /**
   * For how long after mergeable messages went out the next ones wait for company, in milliseconds; 0 if not given.
   * The first goes out at once. Waking three processes for every word costs more than the words.
   */
  readonly holdMs?: number;
}

/**
 * What is to be written to a stream, in order; all that waits goes out in one write. Mergeable messages wait for the
 * end of the tick, or of the hold after the last ones, so that a burst of them is encoded once, and everything waits for a
 * peer that is slow to read.
 */
export class Outbox {
  readonly #stream: Writable;
  readonly #options: OutboxOptions;
  readonly #flush = (): void => this.#write();
  #queue: (Uint8Array | MergeableMessage)[] = [];
  #queuedBytes = 0;
  #scheduled: 'no' | 'tick' | 'now' = 'no';
  #blocked = false;
  #closed = false;
  #mergeableBytes = 0;
  #hold: NodeJS.Timeout | undefined;

  constructor(stream: Writable, options: OutboxOptions) {
    this.#stream = stream;
    this.#options = options;
    stream.on('drain', () => {
      this.#blocked = false;
      this.#write();
    });
  }

  /**
   * @param message a whole encoded message; goes out as soon as the running code yields
   * @returns false if it is larger than the peer accepts; then nothing is sent. True says nothing about its arrival.
   */
  push(message: Uint8Array): boolean {
    if (message.length > this.#options.maxMessageBytes) return false;
    if (!this.#admit(message.length + ENTRY_BYTES)) return true;
    this.#queue.push(message);
    if (this.#scheduled !== 'now') {
      this.#scheduled = 'now';
      queueMicrotask(this.#flush);
    }
    return true;
  }

  /** @param message far smaller than what the peer accepts; goes out at the end of the tick, with its like */
  pushMergeable(message: MergeableMessage): void {
    const last = this.#queue.at(-1);
    const absorbed = last !== undefined && isMergeable(last) && last.absorb(message);
    if (!this.#admit(absorbed ? message.bytes : message.bytes + ENTRY_BYTES)) return;
    if (!absorbed) this.#queue.push(message);
    this.#mergeableBytes += message.bytes;
    if (this.#mergeableBytes >= EAGER_BYTES) this.#write();
    else if (this.#hold === undefined && this.#scheduled === 'no') {
      this.#scheduled = 'tick';
      setImmediate(this.#flush);
    }
  }

  /** Writes what waits and ends the stream. */
  end(): void {
    this.#blocked = false;
    this.#write();
    clearTimeout(this.#hold);
    this.#closed = true;
    if (this.#stream.writable) this.#stream.end();
  }

  #admit(bytes: number): boolean {
    if (this.#closed) return false;
    this.#queuedBytes += bytes;
    if (this.#queuedBytes <= this.#options.maxQueuedBytes) return true;
    this.#closed = true;
    this.#queue = [];
    this.#options.onOverflow();
    return false;
  }

  #write(): void {
    this.#scheduled = 'no';
    if (this.#blocked || this.#queue.length === 0 || !this.#stream.writable) return;
    const messages = this.#queue.map((entry) => (isMergeable(entry) ? entry.encode() : entry));
    if (this.#mergeableBytes > 0) this.#startHold();
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#mergeableBytes = 0;
    this.#blocked = !this.#stream.write(encodeFrames(messages));
  }

  #startHold(): void {
    const { holdMs = 0 } = this.#options;
    if (holdMs === 0 || this.#hold !== undefined) return;
    this.#hold = setTimeout(() => {
      this.#hold = undefined;
      this.#write();
    }, holdMs);
  }
}

function isMergeable(entry: Uint8Array | MergeableMessage): entry is MergeableMessage {
  return 'absorb' in entry;
}
