import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { BulkheadError, systemTimers, type Timers } from '@bulkhead/protocol';
import { refusal, sendError, sendJson } from '../answer.ts';
import { HostAndOrigin } from '../checks/host-and-origin.ts';
import { choosePort, DEFAULT_PORT, type KeptPort } from './choose-port.ts';
import { closeUnread, UNREAD_MS } from './close-unread.ts';
import { type SocketHolder, SocketRoom } from './socket-room.ts';

const HOST = '127.0.0.1';

/** Answers everything but `/healthz`. It is loaded when it is first needed. */
export interface Door {
  /** Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Never rejects; owns the socket from this call on. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  close(): void;
}

/** Facts about the server that the door is part of. */
export interface FrontFacts {
  readonly port: number;
  /**
   * Marks a socket as authenticated, so that it no longer makes room for strangers. @returns false
   * if its program has too many
   */
  keep(socket: Duplex, holder: SocketHolder): boolean;
}

export interface Front {
  readonly address: string;
  /** Set if the port of the last start, or at first the default one, was taken. */
  readonly notice: string | undefined;
  close(): Promise<void>;
}

/**
 * Listens on loopback: answers `/healthz` directly, so that an engine without web users loads
 * nothing more, and passes the rest to the door.
 *
 * @param options.port as configured; undefined: that of the last start, or one near the default
 *   port, with a notice if another program holds it
 * @param options.kept where the chosen port is remembered, unless one is configured
 * @param options.isReady false while the engine starts: requests get an error that asks for a
 *   retry
 * @param options.load called at the first request that is not `/healthz`, and again after a
 *   failure
 * @throws BulkheadError `not_available` if a configured port is taken
 */
export async function serveFront(options: {
  readonly port: number | undefined;
  readonly kept?: KeptPort;
  readonly timers?: Timers;
  isReady(): boolean;
  readonly load: (facts: FrontFacts) => Promise<Door>;
  readonly onError: (error: unknown) => void;
  /** The status in `/healthz`; default `ok`. */
  readonly health?: () => string;
  /**
   * A client's socket is closed after this many milliseconds in which it read nothing of its
   * waiting data.
   */
  readonly unreadMs?: number;
}): Promise<Front> {
  const { port, kept, timers = systemTimers } = options;
  const expected = port ?? kept?.read() ?? DEFAULT_PORT;
  const taken = `port ${expected} on ${HOST} is taken by another program`;
  const server = port === undefined ? await choosePort(listen, { kept, timers }) : await listen(port);
  if (server === undefined) {
    throw new BulkheadError('not_available', taken, {
      fix: 'Set server.port in config.yaml to a free port, or to 0 for any.',
    });
  }
  if (port !== undefined) return started(server, undefined, options);
  const used = portOf(server);
  kept?.keep(used);
  const notice = `${taken}: ${HOST}:${used} is used instead. Set server.port in config.yaml to choose one.`;
  return started(server, used === expected ? undefined : notice, options);
}

function started(
  server: Server,
  notice: string | undefined,
  {
    isReady,
    load,
    onError,
    health = () => 'ok',
    unreadMs = UNREAD_MS,
  }: Pick<Parameters<typeof serveFront>[0], 'isReady' | 'load' | 'onError' | 'health' | 'unreadMs'>,
): Front {
  const port = portOf(server);
  const room = new SocketRoom();
  const origins = new HostAndOrigin(port);
  let loading: Promise<Door> | undefined;
  const door = (): Promise<Door> => {
    loading ??= load({ port, keep: (socket, holder) => room.keep(socket, holder) }).catch(
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const turns = new WeakMap<Duplex, ServerResponse>();
  server.on('connection', (socket) => room.enter(socket));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    closeUnread(response, () => response.socket?.destroy(), unreadMs);
    if (!isInTurn(turns, request, response)) return;
    if (!isReady()) {
      answerUntilReady(request, response, origins);
      return;
    }
    if (isHealth(request)) {
      answerHealth(request, response, origins, health());
      return;
    }
    door()
      .then((opened) => opened.handle(request, response))
      .catch((error: unknown) => {
        onError(error);
        sendError(response, new BulkheadError('internal', 'the HTTP port could not be opened'));
      });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!isReady()) {
      // Without a status: a browser does not report one to its page, and reconnects.
      socket.destroy();
      return;
    }
    door()
      .then((opened) => opened.upgrade(request, socket, head))
      .catch((error: unknown) => {
        onError(error);
        socket.destroy();
      });
  });
  return {
    address: `http://${HOST}:${port}`,
    notice,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      (await loading?.catch(() => undefined))?.close();
      server.closeAllConnections();
      room.clear();
      await closed;
    },
  };
}

/**
 * Allows one request at a time on a socket: pipelining puts many requests under way on one socket,
 * and Node.js forgets those whose answers have not begun when it closes. The first pipelined
 * request is refused, and nothing more is read.
 */
function isInTurn(
  turns: WeakMap<Duplex, ServerResponse>,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { socket } = request;
  const last = turns.get(socket);
  if (last !== undefined && !last.shouldKeepAlive) return false;
  turns.set(socket, response);
  if (last === undefined) socket.once('close', () => endUnassigned(turns.get(socket)));
  if (last === undefined || last.writableEnded) return true;
  response.shouldKeepAlive = false;
  const fix = 'Wait for each answer, or use more sockets.';
  const message = 'the last request on this socket is not answered yet';
  sendError(response, refusal(429, 'rate_limit', message, { fix, retryAfterSeconds: 1 }));
  return false;
}

/**
 * Ends an answer that waits behind another: it has no socket, and Node.js reports no close for it.
 */
function endUnassigned(response: ServerResponse | undefined): void {
  if (response?.socket === null) response.emit('close');
}

function isHealth({ method, url }: IncomingMessage): boolean {
  return method === 'GET' && url === '/healthz';
}

/**
 * Reports whether the engine runs and accepts work, and nothing else: all local programs may read
 * it, but no foreign page.
 */
function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  origins: HostAndOrigin,
  status: string,
): void {
  try {
    origins.check(request);
    sendJson(response, 200, { status });
  } catch (error) {
    sendError(response, error);
  }
}

/**
 * Only for our own host names, as all answers. The socket is closed, for it has nothing to wait
 * for.
 */
function answerUntilReady(request: IncomingMessage, response: ServerResponse, origins: HostAndOrigin): void {
  try {
    origins.check(request);
    throw new BulkheadError('not_running', 'the engine is starting', {
      retryable: true,
      fix: 'Try again in a moment.',
    });
  } catch (error) {
    response.shouldKeepAlive = false;
    sendError(response, error);
  }
}

/**
 * Allows headers of 8 kB in 5 s, a request in 30 s, an idle socket 30 s; checked every second. A client that thinks
 * between two requests must not meet a socket that closes at that moment.
 */
function listen(port: number): Promise<Server | undefined> {
  const server = createServer({
    maxHeaderSize: 8 * 1024,
    headersTimeout: 5_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: true,
    // Some programs offer HTTP/2 with every request: the offer is ignored.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    insecureHTTPParser: false,
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen(port, HOST, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
