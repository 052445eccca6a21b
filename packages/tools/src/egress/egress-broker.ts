import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { BulkheadError, type Timers } from '@bulkhead/protocol';
import type { AddressClass, LocalNetwork } from './address-class.ts';
import type { AllowList } from './allow-list.ts';
import { type BoundedBody, readBounded } from './bounded-body.ts';
import { Deadline, orAborted } from './deadline.ts';
import type { Dial } from './dial-address.ts';
import { exchange, type OneRequest } from './exchange.ts';
import type { Host } from './host.ts';
import type { HostPatterns } from './host-patterns.ts';
import type { PrivateOpenings } from './private-openings.ts';
import { followRedirect, type Redirects } from './redirect.ts';
import { checkHeaders } from './request-headers.ts';
import type { HostResolver } from './resolve-host.ts';
import { secure } from './secure.ts';
import { VettedAddress } from './vetted-address.ts';
import { isSameOrigin, type WebUrl } from './web-url.ts';

export interface EgressOptions {
  readonly resolve: HostResolver;
  /** Networks this machine stands in, at the moment of asking. */
  readonly localNetworks: () => readonly LocalNetwork[];
  readonly timers: Timers;
  readonly dial: Dial;
  /** Hosts that the user lets anything reach, whatever an action allows. */
  readonly hosts: HostPatterns;
  /** Hosts that may be spoken to without TLS. */
  readonly plainHosts: HostPatterns;
  readonly openings: PrivateOpenings;
  /** Certificates to trust instead of the built-in ones, in PEM. */
  readonly authorities?: readonly string[];
}

/** A place to connect to; `plain` if what is sent there is not encrypted. */
export interface Destination {
  readonly host: Host;
  readonly port: number;
  readonly plain: boolean;
}

export interface FetchRules {
  readonly allow: AllowList;
  readonly redirects: Redirects;
  /** Most bytes of the body, as sent and unpacked. */
  readonly maxBytes: number;
  /** For everything: names, connections, redirects, body. */
  readonly timeoutMs: number;
}

export interface FetchedAnswer {
  /** Where it came from in the end. */
  readonly url: WebUrl;
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case, with all their values. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly truncated: boolean;
  /** The addresses that were dialled, one for each request. */
  readonly peers: readonly string[];
}

const CONNECT_MS = 10_000;
const RESOLVE_MS = 10_000;
/** Of a name with many addresses, so many are tried. */
const MAX_TRIED = 4;

/**
 * The only way out for tools [B4] [FR9]. A destination is judged by its name, its name is resolved once, every address is
 * vetted, and one of those very addresses is dialled; a redirect is a new destination.
 */
export class EgressBroker {
  readonly #options: EgressOptions;

  constructor(options: EgressOptions) {
    this.#options = options;
  }

  /**
   * A connection to a destination that the action, the user and its addresses allow.
   * @throws BulkheadError `blocked` saying what forbids it; `tool_failed` if nobody answers; `timeout`; the signal's reason
   */
  async connect(destination: Destination, allow: AllowList, signal: AbortSignal): Promise<Socket> {
    const { host, port } = destination;
    if (!allow.admits(host, port)) throw notAllowed(`${host.text}:${port}`, allow.problem);
    return await this.#connect(destination, true, signal);
  }

  /**
   * One request and what it leads to.
   * @throws BulkheadError as `connect`, and `invalid_arguments` for headers that are not sent
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
    // What the user opened at home is for actions that name it: no page may send a request there.
    let named = true;
    for (let current = request; ; ) {
      const { response, peer } = await this.#send(current, named, deadline.signal);
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
  ): Promise<{ readonly response: IncomingMessage; readonly peer: string }> {
    const { scheme, host, port } = request.url;
    const socket = await this.#connect({ host, port, plain: scheme === 'http' }, named, signal);
    const peer = socket.remoteAddress ?? '';
    try {
      const connection =
        scheme === 'https' ? await secure(socket, host, this.#options.authorities, signal) : socket;
      return { response: await exchange(connection, request, signal), peer };
    } catch (error) {
      socket.destroy();
      throw networkError(error, host, signal);
    }
  }

  async #connect(destination: Destination, named: boolean, signal: AbortSignal): Promise<Socket> {
    const { host, port } = destination;
    const opened = named ? this.#options.openings.opened(host, port) : NOTHING;
    if (opened.size === 0) this.#judge(destination);
    const answers = host.kind === 'address' ? [host.address.text] : await this.#resolve(host, signal);
    const vetted = VettedAddress.vet(answers, opened, this.#options.localNetworks());
    if (typeof vetted === 'string')
      throw new BulkheadError('blocked', `${host.text} ${vetted}`, { fix: OPEN_IT });
    // A name that was opened for the own network and leads to the internet is like any other there.
    if (vetted.some(({ kind }) => kind === 'public')) this.#judge(destination);
    return await this.#dial(vetted.slice(0, MAX_TRIED), { host, port }, signal);
  }

  /** By its name, before anybody is asked about it: what is refused here leaves no trace in any DNS. */
  #judge({ host, plain }: Destination): void {
    const { hosts, plainHosts } = this.#options;
    if (!hosts.admits(host)) throw notAllowed(host.text, hosts.problem ?? 'tools.web.hosts does not name it');
    if (host.kind === 'name' && !host.text.includes('.')) {
      throw new BulkheadError('blocked', `${host.text} is a name of the local network`, { fix: OPEN_IT });
    }
    if (!plain || plainHosts.admits(host)) return;
    throw new BulkheadError('blocked', `${host.text} would be spoken to without encryption`, {
      fix: 'Use https://. If it has none, the user can add the host to tools.web.allowHttp',
    });
  }

  async #resolve(host: Host, signal: AbortSignal): Promise<readonly string[]> {
    using deadline = new Deadline(
      this.#options.timers,
      RESOLVE_MS,
      signal,
      `the name ${host.text} was not resolved`,
    );
    try {
      return await orAborted(this.#options.resolve(host.text), deadline.signal);
    } catch (error) {
      throw networkError(error, host, deadline.signal);
    }
  }

  async #dial(
    addresses: readonly VettedAddress[],
    { host, port }: { readonly host: Host; readonly port: number },
    signal: AbortSignal,
  ): Promise<Socket> {
    const { timers, dial } = this.#options;
    let last: unknown;
    for (const address of addresses) {
      signal.throwIfAborted();
      try {
        return await dial(address, port, { timers, timeoutMs: CONNECT_MS, signal });
      } catch (error) {
        last = error;
      }
    }
    throw networkError(last, host, signal);
  }
}

const NOTHING: ReadonlySet<AddressClass> = new Set();

const OPEN_IT =
  'Places of the own network are opened by the user alone, with tools.web.allowPrivate in config.yaml; do not try another spelling';

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

function notAllowed(what: string, problem: string | undefined): BulkheadError {
  const why = problem === undefined ? 'this action may not connect to it' : problem;
  return new BulkheadError('blocked', `${what} is not allowed: ${why}`);
}

/** Ours as they are, the signal's reason where that is why, and the rest in words. */
function networkError(error: unknown, host: Host, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (BulkheadError.is(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = WORDS[code] ?? (error instanceof Error ? error.message : String(error));
  return new BulkheadError('tool_failed', `${host.text}: ${why}`, { cause: error, retryable: true });
}

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be resolved: is this machine online?',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it broke the connection off',
  ENETUNREACH: 'there is no way to it from here',
  EHOSTUNREACH: 'there is no way to it from here',
};
