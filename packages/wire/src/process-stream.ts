import type { Duplex } from 'node:stream';
import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { FrameReader } from './frame.ts';
import { UNREAD_BYTES } from './limits.ts';

/** What a message costs beside its bytes while it waits: bounds the number of empty ones. */
const ENTRY_BYTES = 64;

/**
 * One end of the link between the engine and a boxed process: messages with their length before them, both ways, over
 * one socket pair. Whatever the peer sends, the outcome is a message or a closed link: no error leaves this class as an
 * uncaught event. The socket is read also while nobody asks for messages, up to `UNREAD_BYTES`, so the end of a
 * peer is noticed at once; beyond that the peer is held back.
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
   * @param socket a connected socket that nobody else reads; owned from here on
   * @param schema of what the peer sends
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
    // It broke off: an end like any other.
    socket.on('error', () => this.#close());
    socket.on('close', () => {
      this.#over();
      resolve();
    });
  }

  /**
   * What the peer says, in order, for one consumer, which holds the peer back while it is busy. Ends when the link does;
   * leaving the loop early closes it.
   *
   * @throws BulkheadError what the link was destroyed for: `protocol_violation` if the peer broke the protocol
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

  /** Closes at once; what was waiting is lost. The first reason given is the one that stays. */
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

  /** The peer is to blame: what it said before is still read, then the failure is thrown. */
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
