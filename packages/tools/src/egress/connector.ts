import type { Socket } from 'node:net';
import { BulkheadError, type Timers } from '@bulkhead/protocol';
import type { AddressClass, LocalNetwork } from './address-class.ts';
import { Deadline, orAborted } from './deadline.ts';
import type { Dial } from './dial-address.ts';
import type { Host } from './host.ts';
import type { HostPatterns } from './host-patterns.ts';
import { networkError } from './network-error.ts';
import type { PrivateOpenings } from './private-openings.ts';
import type { HostResolver } from './resolve-host.ts';
import { VettedAddress } from './vetted-address.ts';

export interface ConnectorOptions {
  readonly resolve: HostResolver;
  /** The networks this machine is in, at the time of the call. */
  readonly localNetworks: () => readonly LocalNetwork[];
  readonly timers: Timers;
  readonly dial: Dial;
  /** Hosts that the user allows for everything, whatever an action allows. */
  readonly hosts: HostPatterns;
  /** Hosts that may be reached without TLS. */
  readonly plainHosts: HostPatterns;
  readonly openings: PrivateOpenings;
}

/** A place to connect to; `plain` if the connection is not encrypted. */
export interface Destination {
  readonly host: Host;
  readonly port: number;
  readonly plain: boolean;
}

const CONNECT_MS = 10_000;
const RESOLVE_MS = 10_000;
/** Limits how many addresses of one name are tried. */
const MAX_TRIED = 4;

/**
 * Makes connections [FR9]. The name is checked against the user's settings and resolved once; every
 * address is vetted, and only a vetted address is dialled.
 */
export class Connector {
  readonly #options: ConnectorOptions;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /**
   * @param named whether the action itself named the destination: private openings apply only then
   * @throws BulkheadError `blocked` naming the rule that forbids it; `tool_failed` if no server
   * answers; `timeout`; the signal's reason
   */
  async connect(destination: Destination, named: boolean, signal: AbortSignal): Promise<Socket> {
    const { host, port } = destination;
    const opened = named ? this.#options.openings.opened(host, port) : NOTHING;
    if (opened.size === 0) this.#judge(destination);
    const answers = host.kind === 'address' ? [host.address.text] : await this.#resolve(host, signal);
    const vetted = this.#vet(answers, opened);
    if (typeof vetted === 'string') throw notVetted(host, vetted);
    // A name opened for the private network that resolves to the internet gets the usual internet
    // rules.
    if (vetted.some(({ kind }) => kind === 'public')) this.#judge(destination);
    return await this.#dial(vetted.slice(0, MAX_TRIED), { host, port }, signal);
  }

  /** Why the user's settings forbid a destination, as far as its name tells; undefined if they do not. */
  objectionTo(destination: Destination): BulkheadError | undefined {
    const { host, port } = destination;
    const opened = this.#options.openings.opened(host, port);
    try {
      if (opened.size === 0) this.#judge(destination);
      const vetted = host.kind === 'name' ? [] : this.#vet([host.address.text], opened);
      return typeof vetted === 'string' ? notVetted(host, vetted) : undefined;
    } catch (error) {
      return BulkheadError.from(error);
    }
  }

  #vet(answers: readonly string[], opened: ReadonlySet<AddressClass>) {
    return VettedAddress.vet(answers, opened, this.#options.localNetworks());
  }

  /** Judged by name, before any lookup: a refused name leaves no trace in any DNS. */
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

function notVetted({ text }: Host, why: string): BulkheadError {
  return new BulkheadError('blocked', `${text} ${why}`, { fix: OPEN_IT });
}

/** A destination that some list does not name. */
export function notAllowed(what: string, problem: string | undefined): BulkheadError {
  const why = problem === undefined ? 'this action may not connect to it' : problem;
  return new BulkheadError('blocked', `${what} is not allowed: ${why}`);
}
