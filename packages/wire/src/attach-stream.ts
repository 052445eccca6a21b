import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import type { BoxedProcess } from './boxed-process.ts';
import { CONTENT_TYPE, isGrpc, pathOf } from './grpc-headers.ts';
import { WINDOW_BYTES } from './limits.ts';
import { readMessages } from './read-messages.ts';

/**
 * The engine's end of the one gRPC stream that a boxed process may open over its connection. Whatever the peer
 * sends, the outcome is a stream or a closed connection: no error leaves this class as an uncaught event.
 */
export class AttachStream<Event extends DescMessage, Directive extends DescMessage> {
  /** Resolves with the stream once it is open; rejects if the connection ends first. */
  readonly opened: Promise<ServerHttp2Stream>;
  /** Resolves once the connection is closed, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #duplex: Duplex;
  readonly #peer: BoxedProcess<Event, Directive>;
  readonly #session: ServerHttp2Session;
  #streams = 0;
  #failure: BulkheadError | undefined;

  /** @param duplex a connected socket that nobody else reads */
  constructor(duplex: Duplex, peer: BoxedProcess<Event, Directive>) {
    this.#duplex = duplex;
    this.#peer = peer;
    duplex.on('error', () => this.destroy());
    this.#session = performServerHandshake(duplex, {
      maxSessionMemory: 32,
      settings: { maxConcurrentStreams: 1, initialWindowSize: WINDOW_BYTES, enablePush: false },
    });
    const { promise: opened, resolve: open, reject: miss } = Promise.withResolvers<ServerHttp2Stream>();
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    this.opened = opened;
    this.closed = closed;
    opened.catch(() => undefined);
    this.#session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      stream.on('error', () => undefined);
      const refusal = this.#refusalOf(headers);
      if (refusal !== undefined) return this.destroy(violation(refusal));
      answerGrpc(stream);
      open(stream);
    });
    this.#session.on('error', (error: NodeJS.ErrnoException) => this.destroy(this.#violationOf(error)));
    this.#session.on('close', () => {
      duplex.destroy();
      miss(this.#failure ?? this.endedEarly());
      close();
    });
    if (!this.#session.destroyed) this.#session.setLocalWindowSize(WINDOW_BYTES);
  }

  /**
   * What the peer says on `stream`, the opened one, in order, for one consumer, which holds the peer back while it is busy. Ends when the
   * connection does; leaving the loop early closes it.
   *
   * @throws BulkheadError what the connection was destroyed for: `protocol_violation` if the peer broke the protocol
   */
  async *read(stream: ServerHttp2Stream): AsyncGenerator<MessageShape<Event>, void, undefined> {
    try {
      yield* readMessages(stream, this.#peer.attach.input, this.#peer.limits.toEngine);
    } catch (error) {
      // Other errors say that the connection broke off: an end like any other, unless the peer is to blame.
      if (BulkheadError.is(error)) this.destroy(error);
    } finally {
      this.destroy();
    }
    // The stream ends before its session says why.
    await this.closed;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Closes at once. The first reason given is the one that stays. */
  destroy(reason?: BulkheadError): void {
    this.#failure ??= reason;
    this.#session.destroy();
    this.#duplex.destroy();
  }

  /** Lets what was written go out and the peer end its half, then closes, at the latest after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.destroy(), graceMs);
    this.#session.close(() => this.destroy());
    await this.closed;
    clearTimeout(timer);
  }

  /** What to tell whoever waited for the peer's first word. */
  endedEarly(): BulkheadError {
    const { name, goneCode } = this.#peer;
    return new BulkheadError(goneCode, `the ${name} ended before it was ready`);
  }

  #refusalOf(headers: IncomingHttpHeaders): string | undefined {
    const { name, attach } = this.#peer;
    this.#streams += 1;
    if (this.#streams > 1) return `the ${name} opened a second stream`;
    if (headers[':method'] !== 'POST' || headers[':path'] !== pathOf(attach)) {
      return `the ${name} called something other than ${attach.name}`;
    }
    return isGrpc(headers['content-type']) ? undefined : `the ${name} speaks no gRPC`;
  }

  /** A peer that dies is not to blame; one that breaks HTTP/2 is. */
  #violationOf(error: NodeJS.ErrnoException): BulkheadError | undefined {
    if (error.code?.startsWith('ERR_HTTP2') !== true) return undefined;
    return violation(`the ${this.#peer.name} broke HTTP/2: ${error.message}`, error);
  }
}

function answerGrpc(stream: ServerHttp2Stream): void {
  stream.respond(
    { [constants.HTTP2_HEADER_STATUS]: 200, [constants.HTTP2_HEADER_CONTENT_TYPE]: CONTENT_TYPE },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
}

function violation(message: string, cause?: unknown): BulkheadError {
  return new BulkheadError('protocol_violation', message, { cause });
}
