import type { Duplex } from 'node:stream';
import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { FrameReader } from './frame.ts';
import { UNREAD_BYTES } from './limits.ts';

/** Cost of a waiting message beside its bytes: bounds the number of empty ones. */
const ENTRY_BYTES = 64;

/**
 * One end of the link between the engine and a boxed process: length-prefixed messages, both ways,
 * over one socket pair. All input of the peer results in a message or a closed link: no error
 * leaves this class as an uncaught event. The socket is also read without a consumer, up to
 * `UNREAD_BYTES`, so the end of a peer is noticed immediately; beyond that the peer is held back.
 */
export class ProcessStream<Message extends DescMessage> {
  /** Resolves once the link is closed, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #schema: Message;
  readonly #frames: FrameReader;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #failure: BulkheadError | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;

  /**
   * @param socket a connected socket without other readers; owned from here on
   * @param schema of the peer's messages
   * @param maxBytes largest message accepted from it
   */
  constructor(socket: Duplex, schema: Message, maxBytes: number) {
    this.#socket = socket;
    this.#schema = schema;
    this.#frames = new FrameReader(maxBytes);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.on('data', (chunk: Uint8Array) => this.#take(chunk));
    socket.on('end', () => this.#end());
    // A broken connection: an end like any other.
    socket.on('error', () => this.#close());
    socket.on('close', () => {
      this.#over();
      resolve();
    });
  }

  /**
   * The peer's messages, in order, for one consumer, which holds the peer back while it is busy.
   * Ends when the link does; leaving the loop early closes it.
   *
   * @throws BulkheadError that destroyed the link: `protocol_violation` if the peer broke the
   *   protocol
   */
  async *read(): AsyncGenerator<MessageShape<Message>, void, undefined> {
    try {
      for (;;) {
        const bytes = this.#waiting.shift();
        if (bytes !== undefined) {
          this.#waitingBytes -= bytes.length + ENTRY_BYTES;
          if (this.#waitingBytes <= UNREAD_BYTES) this.#socket.resume();
          yield this.#decode(bytes);
        } else if (this.#isOver) {
          break;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.destroy();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Closes immediately; waiting data is lost. The first reason stays. */
  destroy(reason?: BulkheadError): void {
    this.#failure ??= reason;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#over();
    this.#socket.destroy();
  }

  /** Lets the peer end its half, then closes, at the latest after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.destroy(), graceMs);
    this.#socket.resume();
    await this.closed;
    clearTimeout(timer);
  }

  #take(chunk: Uint8Array): void {
    if (this.#isOver) return;
    try {
      for (const bytes of this.#frames.push(chunk)) {
        this.#waiting.push(bytes);
        this.#waitingBytes += bytes.length + ENTRY_BYTES;
      }
    } catch (error) {
      this.#fail(BulkheadError.from(error));
    }
    if (this.#waitingBytes > UNREAD_BYTES) this.#socket.pause();
    this.#wake?.();
  }

  #end(): void {
    if (!this.#isOver && !this.#frames.idle) {
      this.#fail(new BulkheadError('protocol_violation', 'the stream ended inside a message'));
    }
    this.#close();
  }

  /** A fault of the peer: its earlier messages are still read, then the failure is thrown. */
  #fail(reason: BulkheadError): void {
    this.#failure ??= reason;
    this.#close();
  }

  #close(): void {
    this.#over();
    this.#socket.destroy();
  }

  #over(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  #decode(bytes: Uint8Array): MessageShape<Message> {
    try {
      return fromBinary(this.#schema, bytes);
    } catch (cause) {
      const reason = `a malformed ${this.#schema.name} came`;
      this.#failure ??= new BulkheadError('protocol_violation', reason, { cause });
      throw this.#failure;
    }
  }
}
