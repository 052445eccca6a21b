import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { errorMetadata } from '@bulkhead/home/errors/error-metadata';
import { closeUnread, type OpenCall } from '@bulkhead/http/front';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { CLIENT_REQUEST_BYTES } from '@bulkhead/wire';
import { type ConnectRouter, createConnectRouter } from '@connectrpc/connect';
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import { socketOrigin } from './call-origin.ts';
import { ClientConnections, MOST_CONNECTIONS } from './client-connections.ts';
import { registerClientService } from './client-service.ts';
import type { ClientServiceParts } from './client-service-parts.ts';
import { toConnectError } from './error-mapping.ts';

/** Streams of one connection, including refused ones; the protocol itself refuses more. */
const MOST_STREAMS = 1_024;
/** Longest time for a request to arrive, in milliseconds. */
const REQUEST_MS = 30_000;
/** A client that was refused for too many requests retries after this, in milliseconds. */
const RETRY_MS = 1_000;
/** Time for the end of a stream to arrive, in milliseconds. */
const LAST_WORDS_MS = 1_000;

export interface ClientServer {
  close(): Promise<void>;
}

/**
 * Serves clients on a socket in a 0700 folder; every call needs the token of this engine process.
 * Agents and workers have neither the folder nor the token [P7].
 */
export async function serveClients(
  layout: HomeLayout,
  parts: ClientServiceParts,
  options: {
    readonly onError: (error: unknown) => void;
    /** See `closeUnread`. */
    readonly unreadMs?: number;
  },
): Promise<ClientServer> {
  const token = randomBytes(32).toString('hex');
  const sockets = new Map<Http2Session, Socket>();
  // A destroyed session waits for data that its peer has not read; only its socket ends
  // immediately.
  const drop = (session: Http2Session | undefined): void => {
    session?.destroy();
    if (session !== undefined) sockets.get(session)?.destroy();
  };
  const router = createConnectRouter({
    readMaxBytes: CLIENT_REQUEST_BYTES,
    acceptCompression: [],
    grpcWeb: false,
    connect: false,
  });
  registerClientService(router, parts, socketOrigin);
  const connections = new ClientConnections(drop);
  const { onError, unreadMs } = options;
  const handle = requestHandler(router, { token, connections, unreadMs, drop, onError });
  const server = createServer({ settings: { maxConcurrentStreams: MOST_STREAMS } }, handle);
  server.maxConnections = MOST_CONNECTIONS * 2;
  // The session of a socket is created and announced synchronously, within this event.
  server.prependListener('connection', (socket: Socket) => {
    server.once('session', (session) => {
      sockets.set(session, socket);
      connections.add(session);
      session.on('close', () => sockets.delete(session));
      session.on('error', () => drop(session));
    });
  });
  // Before the socket: a client that can connect can also find the token.
  rmSync(layout.token, { force: true });
  writeFileSync(layout.token, token, { mode: 0o600, flag: 'wx' });
  await listen(server, layout.socket);
  const inode = lstatSync(layout.socket).ino;
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sockets.keys()) session.close();
      const timer = setTimeout(() => {
        for (const session of sockets.keys()) drop(session);
      }, 200);
      await closed;
      clearTimeout(timer);
      removeOwn(layout.socket, inode);
      rmSync(layout.token, { force: true });
    },
  };
}

/**
 * Checks the token here, before the router sees the call: a service's own options replace the
 * router's interceptors and could remove the check. The same holds for the limits of a connection,
 * each of which is one client. The library's own adapter is not used because it logs every client
 * that leaves in mid-stream to the console.
 */
function requestHandler(
  router: ConnectRouter,
  parts: {
    readonly token: string;
    readonly connections: ClientConnections;
    readonly unreadMs: number | undefined;
    /** Closes a connection, even if it does not respond. */
    drop(session: Http2Session | undefined): void;
    onError(error: unknown): void;
  },
) {
  const expected = Buffer.from(`Bearer ${parts.token}`);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    const { stream } = response;
    const { session } = stream;
    closeUnread(stream, () => giveUp(stream, () => parts.drop(session)), parts.unreadMs);
    stream.once('finish', () => leaveUnheard(stream));
    if (!hasToken(request, expected)) {
      refuse(response, new BulkheadError('unauthenticated', 'a valid token is needed'));
      return;
    }
    const handler = handlers.get(request.url);
    if (handler === undefined) {
      response.writeHead(404).end();
      return;
    }
    let call: OpenCall;
    try {
      call = parts.connections.enter(session);
    } catch (error) {
      refuse(response, BulkheadError.from(error));
      return;
    }
    stream.once('close', () => call[Symbol.dispose]());
    const asked = universalRequestFromNodeRequest(request, response, undefined, undefined);
    handler({ ...asked, body: boundedBody(request, call) })
      .then((answer) => universalResponseToNodeResponse(answer, response))
      .catch(parts.onError);
  };
}

/**
 * Counts the arriving bytes of a request, within the same time limit as over HTTP.
 *
 * @throws ConnectError for a client that sends too much at once, or too slowly
 */
async function* boundedBody(request: Http2ServerRequest, call: OpenCall): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => {
    const message = `the request did not arrive within ${REQUEST_MS / 1_000} s`;
    request.destroy(new BulkheadError('timeout', message, { fix: 'Send it again.', retryable: true }));
  }, REQUEST_MS);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) continue;
      call.arrived(chunk.byteLength);
      yield chunk;
    }
  } catch (error) {
    throw BulkheadError.is(error) ? toConnectError(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** A client that reads nothing from its whole connection does not notice the end of a stream. */
function giveUp(stream: ServerHttp2Stream, drop: () => void): void {
  const timer = setTimeout(drop, LAST_WORDS_MS);
  stream.once('close', () => clearTimeout(timer));
  stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
}

/**
 * Ends a stream that was answered before its request was complete: the rest would keep it open as
 * long as the client sends.
 */
function leaveUnheard(stream: ServerHttp2Stream): void {
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), LAST_WORDS_MS);
  stream.once('close', () => clearTimeout(timer));
}

/**
 * Requires the instance lock: a file at the path then belongs to a dead engine or a stranger. The
 * socket is made under another name and moved over it: closing the server removes that name, not
 * `path`.
 */
async function listen(server: Http2Server, path: string): Promise<void> {
  const fresh = `${dirname(path)}/s${process.pid}`;
  rmSync(fresh, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(fresh, () => {
      server.off('error', reject);
      resolve();
    });
  });
  chmodSync(fresh, 0o600);
  renameSync(fresh, path);
}

function removeOwn(path: string, inode: number): void {
  try {
    if (lstatSync(path).ino === inode) rmSync(path, { force: true });
  } catch {
    // Already gone.
  }
}

/** In constant time, so that a token can't be guessed letter by letter. */
function hasToken(request: Http2ServerRequest, expected: Buffer): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Like a handler's own errors; a temporary refusal states its delay (gRPC proposal A6). */
function refuse(response: Http2ServerResponse, error: BulkheadError): void {
  const { code, rawMessage } = toConnectError(error);
  response.writeHead(200, {
    'content-type': 'application/grpc',
    'grpc-status': String(code),
    'grpc-message': encodeURIComponent(rawMessage),
    ...errorMetadata(error),
    ...(error.code === 'rate_limit'
      ? { 'grpc-retry-pushback-ms': String(RETRY_MS), 'retry-after': '1' }
      : {}),
  });
  response.end();
}
