import type { Writable } from 'node:stream';
import { encodeFrames } from './frame.ts';

/** What an entry costs beside its content: bounds the number of empty ones. */
const ENTRY_BYTES = 64;

/** A piece of a model's answer on its way. */
export interface Delta {
  readonly kind: 'text' | 'thinking';
  /** Empty where the wire names no request. */
  readonly requestId: string;
  readonly text: string;
}

export interface OutboxOptions {
  readonly encodeDelta: (delta: Delta) => Uint8Array;
  /** What may wait while the peer doesn't read. */
  readonly maxQueuedBytes: number;
  /** Called once, when more than that waits; nothing is sent from then on. */
  readonly onOverflow: () => void;
}

/**
 * What is to be written to a stream, in order. Neighbouring deltas of one kind and request become one
 * message while they wait: for the end of the tick, or for a peer that is slow to read. All that waits goes out in
 * one write. Text waits as text, so that a burst of deltas is encoded once.
 */
export class Outbox {
  readonly #stream: Writable;
  readonly #options: OutboxOptions;
  readonly #flush = (): void => this.#write();
  #queue: (Uint8Array | Delta)[] = [];
  #queuedBytes = 0;
  #scheduled: 'no' | 'tick' | 'now' = 'no';
  #blocked = false;
  #overflown = false;

  constructor(stream: Writable, options: OutboxOptions) {
    this.#stream = stream;
    this.#options = options;
    stream.on('drain', () => {
      this.#blocked = false;
      this.#write();
    });
  }

  /** @param message a whole encoded message; goes out as soon as the running code yields */
  push(message: Uint8Array): void {
    if (!this.#admit(message.length + ENTRY_BYTES)) return;
    this.#queue.push(message);
    if (this.#scheduled !== 'now') {
      this.#scheduled = 'now';
      queueMicrotask(this.#flush);
    }
  }

  pushDelta(delta: Delta): void {
    const last = this.#queue.at(-1);
    if (
      last !== undefined &&
      isDelta(last) &&
      last.kind === delta.kind &&
      last.requestId === delta.requestId
    ) {
      if (!this.#admit(delta.text.length)) return;
      this.#queue[this.#queue.length - 1] = { ...delta, text: last.text + delta.text };
    } else {
      if (!this.#admit(delta.text.length + ENTRY_BYTES)) return;
      this.#queue.push(delta);
    }
    if (this.#scheduled === 'no') {
      this.#scheduled = 'tick';
      setImmediate(this.#flush);
    }
  }

  /** Writes what waits and ends the stream. */
  end(): void {
    this.#blocked = false;
    this.#write();
    this.#overflown = true;
    if (this.#stream.writable) this.#stream.end();
  }

  #admit(bytes: number): boolean {
    if (this.#overflown) return false;
    this.#queuedBytes += bytes;
    if (this.#queuedBytes <= this.#options.maxQueuedBytes) return true;
    this.#overflown = true;
    this.#queue = [];
    this.#options.onOverflow();
    return false;
  }

  #write(): void {
    this.#scheduled = 'no';
    if (this.#blocked || this.#queue.length === 0 || !this.#stream.writable) return;
    const messages = this.#queue.map((entry) => (isDelta(entry) ? this.#options.encodeDelta(entry) : entry));
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#blocked = !this.#stream.write(encodeFrames(messages));
  }
}

function isDelta(entry: Uint8Array | Delta): entry is Delta {
  return 'kind' in entry;
}
