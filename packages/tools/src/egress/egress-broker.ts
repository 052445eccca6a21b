import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { BulkheadError } from '@bulkhead/protocol';
import type { AllowList } from './allow-list.ts';
import { type BoundedBody, readBounded } from './bounded-body.ts';
import { Connector, type ConnectorOptions, type Destination, notAllowed } from './connector.ts';
import { Deadline, orAborted } from './deadline.ts';
import { exchange, type OneRequest } from './exchange.ts';
import type { Host } from './host.ts';
import { networkError } from './network-error.ts';
import { followRedirect, type Redirects } from './redirect.ts';
import { checkHeaders } from './request-headers.ts';
import { unsent } from './unsent.ts';
import { isSameOrigin, type WebUrl } from './web-url.ts';

export interface EgressOptions extends ConnectorOptions {
  /** Certificates to trust instead of the built-in ones, in PEM. */
  readonly authorities?: readonly string[];
}

export interface FetchRules {
  readonly allow: AllowList;
  readonly redirects: Redirects;
  /** Most bytes of the body, as sent and unpacked. */
  readonly maxBytes: number;
  /** For the whole request: lookup, connections, redirects, body. */
  readonly timeoutMs: number;
}

export interface FetchedAnswer {
  /** The final URL after redirects. */
  readonly url: WebUrl;
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case, with all their values. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly truncated: boolean;
  /** The addresses that were dialled, one per request. */
  readonly peers: readonly string[];
}

/**
 * The only way out for tools [B4] [FR9]. A destination is judged by its name, which is resolved
 * once; every address is vetted, and only a vetted address is dialled. A redirect is a new
 * destination.
 */
export class EgressBroker {
  readonly #options: EgressOptions;
  readonly #connector: Connector;

  constructor(options: EgressOptions) {
    this.#options = options;
    this.#connector = new Connector(options);
  }

  /**
   * Connects to a destination if the action, the user and its addresses allow it.
   * @throws BulkheadError `blocked` naming the rule that forbids it; `tool_failed` if no server
   * answers; `timeout`; the signal's reason
   */
  async connect(destination: Destination, allow: AllowList, signal: AbortSignal): Promise<Socket> {
    const { host, port } = destination;
    if (!allow.admits(host, port)) throw notAllowed(`${host.text}:${port}`, allow.problem);
    return await this.#connector.connect(destination, true, signal);
  }

  /** Why the user's settings forbid a destination, as far as its name tells. Looks nothing up. */
  objectionTo(destination: Destination): BulkheadError | undefined {
    return this.#connector.objectionTo(destination);
  }

  /**
   * Sends one request and follows its redirects.
   * @throws BulkheadError as `connect`, with the detail `sent: false` as long as nothing was sent;
   * and `invalid_arguments` for headers that must not be sent
   */
  async fetch(request: OneRequest, rules: FetchRules, signal: AbortSignal): Promise<FetchedAnswer> {
    checkHeaders(request.headers);
    using deadline = new Deadline(
      this.#options.timers,
      rules.timeoutMs,
      signal,
      `${request.url.host.text} was not done`,
    );
    const peers: string[] = [];
    let { url } = request;
    if (!rules.allow.admits(url.host, url.port))
      throw notAllowed(`${url.host.text}:${url.port}`, rules.allow.problem);
    // Private openings apply only to actions that name the host: no page may send a request there.
    let named = true;
    for (let current = request; ; ) {
      const { response, peer } = await this.#send(current, named, deadline.signal, peers.length === 0);
      peers.push(peer);
      const next = redirectOf(response, current, rules, peers.length);
      if (next === undefined) {
        const { bytes, truncated } = await bodyOf(response, current, rules.maxBytes, deadline.signal);
        return { ...headOf(response), url, body: bytes, truncated, peers };
      }
      named &&= isSameOrigin(current.url, next.url);
      current = next;
      url = next.url;
    }
  }

  async #send(
    request: OneRequest,
    named: boolean,
    signal: AbortSignal,
    isFirst: boolean,
  ): Promise<{ readonly response: IncomingMessage; readonly peer: string }> {
    const { host } = request.url;
    const connection = await this.#open(request.url, named, signal).catch((error: unknown) => {
      throw isFirst ? unsent(error) : error;
    });
    const peer = connection.remoteAddress ?? '';
    try {
      return { response: await exchange(connection, request, signal), peer };
    } catch (error) {
      connection.destroy();
      throw networkError(error, host, signal);
    }
  }

  /** Returns a connection for a request; no byte of a request has been sent yet. */
  async #open({ scheme, host, port }: WebUrl, named: boolean, signal: AbortSignal): Promise<Socket> {
    const socket = await this.#connector.connect({ host, port, plain: scheme === 'http' }, named, signal);
    if (scheme === 'http') return socket;
    try {
      return await secure(socket, host, this.#options.authorities, signal);
    } catch (error) {
      socket.destroy();
      throw networkError(error, host, signal);
    }
  }
}

function redirectOf(
  response: IncomingMessage,
  request: OneRequest,
  rules: FetchRules,
  sent: number,
): OneRequest | undefined {
  try {
    return followRedirect(response, request, rules.redirects, sent);
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    if (response.listenerCount('error') === 0) response.on('error', () => {});
  }
}

async function bodyOf(
  response: IncomingMessage,
  { method }: OneRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<BoundedBody> {
  const { statusCode = 0 } = response;
  if (method !== 'HEAD' && statusCode !== 204 && statusCode !== 304)
    return await readBounded(response, maxBytes, signal);
  response.destroy();
  return { bytes: Buffer.alloc(0), truncated: false };
}

function headOf(response: IncomingMessage): Pick<FetchedAnswer, 'status' | 'statusText' | 'headers'> {
  const headers = Object.entries(response.headersDistinct).map(([name, values]) => [
    name,
    values?.join(', '),
  ]);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: Object.fromEntries(headers),
  };
}

/**
 * TLS over an open connection. The server must prove to be `host`, whatever address was dialled; no
 * environment variable loosens that.
 *
 * @param authorities certificates to trust instead of the built-in ones, in PEM: for tests
 * @throws BulkheadError `tool_failed` with the problem of the certificate
 */
async function secure(
  socket: Socket,
  host: Host,
  authorities: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secured = connect({
    socket,
    // An address is no server name (RFC 6066); the certificate must then name the address.
    ...(host.kind === 'name' ? { servername: host.text } : { host: host.address.text }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(authorities === undefined ? {} : { ca: [...authorities] }),
  });
  const ready = new Promise<void>((resolve, reject) => {
    secured.once('secureConnect', resolve);
    secured.once('close', () => reject(new Error('the connection was closed')));
    secured.on('error', reject);
  });
  try {
    await orAborted(ready, signal);
  } catch (error) {
    secured.destroy();
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    throw new BulkheadError('tool_failed', `no secure connection to ${host.text}: ${why}`, { cause: error });
  }
  if (!secured.authorized) {
    secured.destroy();
    throw new BulkheadError('internal', `${host.text} was not proven and not refused`);
  }
  return secured;
}
