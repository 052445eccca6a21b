import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { BulkheadError, describeError, type Timers } from '@bulkhead/protocol';
import type { AllowList, EgressBroker } from '@bulkhead/tools';
import { plainRequest } from './plain-request.ts';
import { hasPassword, PASSWORD_WANTED } from './proxy-password.ts';
import { type ProxyStats, ProxyTraffic } from './proxy-traffic.ts';
import { type ProxyLimits, type ProxyParts, tunnel } from './tunnel.ts';

export interface EgressProxyOptions {
  /** A folder of the action's own, mode 0700. */
  readonly folder: string;
  /** The hosts that the action names. An empty list admits none. */
  readonly allow: AllowList;
  readonly broker: Pick<EgressBroker, 'connect' | 'objectionTo'>;
  readonly timers: Timers;
  /** Where others can reach the proxy too: a request without it is answered 407 and not counted. */
  readonly password?: string | undefined;
  readonly limits?: Partial<ProxyLimits>;
}

/** The network access of one boxed command. It ends with the action. */
export interface EgressProxy extends AsyncDisposable {
  /** Path of the unix socket, for an HTTP client's proxy setting. */
  readonly socketPath: string;
  readonly stats: ProxyStats;
}

const LIMITS: ProxyLimits = { connections: 64, bytes: 4 * 1024 ** 3, idleMs: 60_000, helloMs: 10_000 };
const MAX_HEADER_BYTES = 16 * 1024;
/** `sun_path` of Linux, with its ending NUL. */
const MAX_SOCKET_PATH = 108;

/**
 * Opens an HTTP proxy on a unix socket for one action: CONNECT for TLS, absolute-form requests for
 * plain HTTP. Every connection goes through the broker and to the action's hosts only; names are
 * resolved here, never in the box [FT32].
 *
 * @throws BulkheadError `internal` for a folder that others can enter or a path that is too long
 *   for a socket
 */
export async function openEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const socketPath = join(checkedFolder(options.folder), 'egress.sock');
  if (Buffer.byteLength(socketPath) >= MAX_SOCKET_PATH) {
    throw new BulkheadError('internal', `${socketPath} is too long a path for a socket`);
  }
  const limits = { ...LIMITS, ...options.limits };
  const traffic = new ProxyTraffic(limits.bytes);
  const closing = new AbortController();
  const parts: ProxyParts = { ...options, traffic, limits };
  const open = new Set<Socket>();
  const server = serve({ ...parts, password: options.password }, limits, open, closing.signal);
  await listen(server, socketPath);
  chmodSync(socketPath, 0o600);
  return {
    socketPath,
    get stats() {
      return traffic.stats;
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort(new BulkheadError('cancelled', 'the command is over'));
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(socketPath, { force: true });
    },
  };
}

interface ServerParts extends ProxyParts {
  readonly password: string | undefined;
}

function serve(parts: ServerParts, limits: ProxyLimits, open: Set<Socket>, closing: AbortSignal): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.idleMs,
    requestTimeout: 0,
    insecureHTTPParser: false,
  });
  server.maxConnections = limits.connections;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.setTimeout(limits.idleMs, () => socket.destroy());
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (!hasPassword(request, parts.password)) {
      client.on('error', () => {});
      client.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${PASSWORD_WANTED}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      return;
    }
    void handleConnect(parts, request, client, head, closing);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasPassword(request, parts.password)) {
      response.on('error', () => {});
      response.writeHead(407, { 'proxy-authenticate': PASSWORD_WANTED, connection: 'close' });
      response.end();
      return;
    }
    void handleRequest(parts, request, response, closing);
  });
  return server;
}

async function handleConnect(
  parts: ProxyParts,
  { url = '' }: IncomingMessage,
  client: Duplex,
  head: Buffer,
  closing: AbortSignal,
): Promise<void> {
  client.on('error', () => {});
  try {
    if (!(client instanceof Socket)) throw new BulkheadError('internal', 'a client without a socket');
    await tunnel(parts, url, client, head, AbortSignal.any([closing]));
  } catch (error) {
    if (client.destroyed) return;
    const { status, text } = refusal(parts, error);
    client.end(
      `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  }
}

async function handleRequest(
  parts: ProxyParts,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  response.on('error', () => {});
  try {
    await plainRequest(parts, request, response, AbortSignal.any([closing]));
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, text } = refusal(parts, error);
    response.writeHead(Number(status.slice(0, 3)), {
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    });
    response.end(text);
  }
}

/** The reason of a refusal, for the command and for the record. */
function refusal(
  { traffic }: ProxyParts,
  error: unknown,
): { readonly status: string; readonly text: string } {
  const { code, details } = BulkheadError.from(error);
  const text = describeError(error);
  const forbidden = code === 'blocked' || code === 'invalid_arguments';
  if (forbidden && details['needs'] === undefined) traffic.refuse(text);
  return { status: forbidden ? '403 Forbidden' : '502 Bad Gateway', text: `bulkhead: ${text}\n` };
}

/** @throws BulkheadError `internal` */
function checkedFolder(folder: string): string {
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || (stats.mode & 0o077) !== 0) {
    throw new BulkheadError('internal', `${folder} is no folder of this user alone`);
  }
  return folder;
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}
