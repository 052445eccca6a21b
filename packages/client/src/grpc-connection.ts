import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { createConnection } from 'node:net';
import {
  create,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { errorFromTrailers, GRPC_STATUS } from '@bulkhead/home/errors/error-metadata';
import { BulkheadError, CHANNEL_HEADER, type SocketChannel } from '@bulkhead/protocol';
import { CLIENT_MESSAGE_BYTES, CLIENT_REQUEST_BYTES, encodeFrames, readMessages } from '@bulkhead/wire';

type Trailers = Record<string, string | undefined>;

/**
 * The client's half of gRPC over one unix socket, on `node:http2` alone. The CLI starts once per
 * command: this client loads in half the time of a general one, which needs Node's `fetch` for its
 * `Headers`. Wire: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md.
 */
export class GrpcConnection implements Disposable {
  readonly #session: ClientHttp2Session;
  readonly #token: string;
  readonly #channel: SocketChannel;
  /** Why the connection ended; its open calls receive this error. */
  #failure: Error | undefined;

  private constructor(session: ClientHttp2Session, token: string, channel: SocketChannel) {
    this.#session = session;
    this.#token = token;
    this.#channel = channel;
    session.on('error', (error) => {
      this.#failure ??= error;
    });
  }

  /**
   * @param path of the socket. Connecting continues in the background: the first call reports its
   *   failure.
   * @param token sent as bearer token with every call
   * @param channel name of this client, for the record
   */
  static open(path: string, token: string, channel: SocketChannel): GrpcConnection {
    const session = connect('http://localhost', { createConnection: () => createConnection(path) });
    return new GrpcConnection(session, token, channel);
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    signal?: AbortSignal,
  ): Promise<MessageShape<O>> {
    let answer: MessageShape<O> | undefined;
    for await (const message of this.#call(method, request, signal)) {
      if (answer !== undefined)
        throw new BulkheadError('protocol_violation', `two answers to ${method.name}`);
      answer = message;
    }
    if (answer === undefined) throw new BulkheadError('protocol_violation', `no answer to ${method.name}`);
    return answer;
  }

  /**
   * Ends normally when the engine ends the stream with success; leaving the loop cancels the call.
   */
  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    signal?: AbortSignal,
  ): AsyncGenerator<MessageShape<O>> {
    return this.#call(method, request, signal);
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  async *#call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O> | DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<MessageShape<O>> {
    if (signal?.aborted) throw cancelled(method.name);
    const bytes = toBinary(method.input, create(method.input, request));
    // The engine would refuse it unread, and writing it would wait forever.
    if (bytes.byteLength > CLIENT_REQUEST_BYTES) throw tooLarge(method.name);
    const stream = this.#request(`/${method.parent.typeName}/${method.name}`);
    const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
    signal?.addEventListener('abort', cancel, { once: true });
    const trailers = watchTrailers(stream);
    const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
    try {
      stream.end(encodeFrames([bytes]));
      yield* readMessages(stream, method.output, CLIENT_MESSAGE_BYTES);
      // Trailers may come a tick after the end of the data.
      await closed;
    } catch (cause) {
      if (signal?.aborted) throw cancelled(method.name);
      if (BulkheadError.is(cause)) throw cause;
      if (trailers['grpc-status'] === undefined) throw this.#lost(cause);
    } finally {
      signal?.removeEventListener('abort', cancel);
      if (!stream.closed) cancel();
    }
    if (signal?.aborted) throw cancelled(method.name);
    this.#check(trailers);
  }

  #request(path: string): ClientHttp2Stream {
    try {
      return this.#session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc+proto',
        te: 'trailers',
        authorization: `Bearer ${this.#token}`,
        [CHANNEL_HEADER]: this.#channel,
      });
    } catch (cause) {
      throw this.#lost(cause);
    }
  }

  #check(trailers: Trailers): void {
    const text = trailers['grpc-status'];
    if (text === undefined) throw this.#lost(undefined);
    const status = Number(text);
    if (status !== GRPC_STATUS.ok) throw errorFromTrailers(status, trailers);
  }

  #lost(cause: unknown): BulkheadError {
    const reason = this.#failure ?? cause;
    return new BulkheadError('not_running', 'the connection to the engine was lost', {
      fix: 'See `bulkhead status` and `bulkhead logs`.',
      retryable: true,
      cause: reason,
    });
  }
}

/** An error without data carries its status in the first and only headers. */
function watchTrailers(stream: ClientHttp2Stream): Trailers {
  const trailers: Trailers = {};
  const keep = (headers: Readonly<Record<string, string | string[] | number | undefined>>) => {
    for (const [name, value] of Object.entries(headers)) {
      if (typeof value === 'string') trailers[name] = value;
    }
  };
  stream.on('response', keep);
  stream.on('trailers', keep);
  return trailers;
}

function tooLarge(method: string): BulkheadError {
  return new BulkheadError('usage', `${method} was asked for with more than ${CLIENT_REQUEST_BYTES} bytes`, {
    fix: 'Send less at once, or put it into a file.',
  });
}

function cancelled(method: string): BulkheadError {
  return new BulkheadError('cancelled', `${method} was cancelled`);
}
