import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import { BulkheadError } from '@bulkhead/protocol';
import { ATTACH_PATH, CONTENT_TYPE, WINDOW_BYTES } from '../wire/wire-constants.ts';

/** How long a peer may take to end its half once the engine closes, in milliseconds. */
const CLOSE_GRACE_MS = 250;

/**
 * The engine's end of the one gRPC stream that an agent may open over its connection. Whatever the peer
 * sends, the outcome is a stream or a closed connection: no error leaves this class as an uncaught event.
 */
export class AttachStream {
  /** Resolves with the stream once it is open; rejects if the connection ends first. */
  readonly opened: Promise<ServerHttp2Stream>;
  /** Resolves once the connection is closed, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #duplex: Duplex;
  readonly #session: ServerHttp2Session;
  #failure: BulkheadError | undefined;

  /** @param duplex a connected socket that nobody else reads */
  constructor(duplex: Duplex) {
    this.#duplex = duplex;
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
    let streams = 0;
    this.#session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      stream.on('error', () => undefined);
      streams += 1;
      const refusal = streams > 1 ? 'the agent opened a second stream' : refusalOf(headers);
      if (refusal !== undefined) return this.destroy(new BulkheadError('protocol_violation', refusal));
      answerGrpc(stream);
      open(stream);
    });
    this.#session.on('error', (error: NodeJS.ErrnoException) => this.destroy(violationOf(error)));
    this.#session.on('close', () => {
      duplex.destroy();
      miss(this.#failure ?? new BulkheadError('agent_failed', 'the agent ended before it was ready'));
      close();
    });
    if (!this.#session.destroyed) this.#session.setLocalWindowSize(WINDOW_BYTES);
  }

  /** Why the connection was destroyed, if the peer is to blame. */
  get failure(): BulkheadError | undefined {
    return this.#failure;
  }

  /** Closes at once. The first reason given is the one that stays. */
  destroy(reason?: BulkheadError): void {
    this.#failure ??= reason;
    this.#session.destroy();
    this.#duplex.destroy();
  }

  /** Lets what was written go out, then closes, whether or not the peer plays along. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.destroy(), CLOSE_GRACE_MS);
    this.#session.close(() => this.destroy());
    await this.closed;
    clearTimeout(timer);
  }
}

function refusalOf(headers: IncomingHttpHeaders): string | undefined {
  if (headers[':method'] !== 'POST' || headers[':path'] !== ATTACH_PATH) {
    return 'the agent called something other than Attach';
  }
  const type = headers['content-type'];
  return type === CONTENT_TYPE || type === 'application/grpc' ? undefined : 'the agent speaks no gRPC';
}

function answerGrpc(stream: ServerHttp2Stream): void {
  stream.respond(
    { [constants.HTTP2_HEADER_STATUS]: 200, [constants.HTTP2_HEADER_CONTENT_TYPE]: CONTENT_TYPE },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
}

/** A peer that dies is not to blame; one that breaks HTTP/2 is. */
function violationOf(error: NodeJS.ErrnoException): BulkheadError | undefined {
  if (error.code?.startsWith('ERR_HTTP2') !== true) return undefined;
  return new BulkheadError('protocol_violation', `the agent broke HTTP/2: ${error.message}`, {
    cause: error,
  });
}
