import type { Writable } from 'node:stream';
import { encodeFrames } from './frame.ts';

/** Cost of an entry beside its content: bounds the number of empty ones. */
const ENTRY_BYTES = 64;

export interface OutboxOptions {
  /** Largest message the peer accepts, in bytes. */
  readonly maxMessageBytes: number;
  /** Bytes that may wait while the peer doesn't read. */
  readonly maxQueuedBytes: number;
  /** Called once, when more than that waits; nothing is sent from then on. */
  readonly onOverflow: () => void;
}

/**
 * Queues messages for a stream, in order: all waiting ones go out in one write, as soon as the peer
 * reads.
 */
export class Outbox {
  readonly #stream: Writable;
  readonly #options: OutboxOptions;
  readonly #flush = (): void => this.#write();
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #isScheduled = false;
  #blocked = false;
  #closed = false;

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
   * @returns false if it is larger than the peer accepts; then nothing is sent. True does not
   *   mean that it arrives.
   */
  push(message: Uint8Array): boolean {
    if (message.length > this.#options.maxMessageBytes) return false;
    if (!this.#admit(message.length + ENTRY_BYTES)) return true;
    this.#queue.push(message);
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      queueMicrotask(this.#flush);
    }
    return true;
  }

  /** Writes the waiting messages and ends the stream. */
  end(): void {
    this.#blocked = false;
    this.#write();
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
    this.#isScheduled = false;
    if (this.#blocked || this.#queue.length === 0 || !this.#stream.writable) return;
    const frames = encodeFrames(this.#queue);
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#blocked = !this.#stream.write(frames);
  }
}
