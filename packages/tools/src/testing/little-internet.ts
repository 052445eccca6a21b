import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { systemTimers } from '@bulkhead/protocol';
import { testCertificate } from '@bulkhead/testkit';
import type { LocalNetwork } from '../egress/address-class.ts';
import { EgressBroker } from '../egress/egress-broker.ts';
import { parseHostPatterns } from '../egress/host-patterns.ts';
import { parseOpenings } from '../egress/private-openings.ts';
import { VettedAddress } from '../egress/vetted-address.ts';

/** A public address for names whose address is irrelevant to a test. */
export const PUBLIC = '93.184.216.34';

/**
 * Names, addresses and servers of a test. Two things differ from the product: a table answers
 * names, and every vetted address connects to a server of this process. It records each lookup and
 * connection.
 */
export class LittleInternet implements AsyncDisposable {
  /** Answers for a name: one list per lookup; the last one repeats. */
  readonly names = new Map<string, (readonly string[])[]>();
  readonly queries: string[] = [];
  /** `address port` of each connection. */
  readonly dialled: string[] = [];
  readonly #servers: Server[] = [];
  /** Real ports by dialled port. */
  readonly #ports = new Map<number, number>();

  /** Serves all addresses at this port. */
  async serve(port: number, answer: RequestListener, { tls = port !== 80 } = {}): Promise<Server> {
    const { cert, key } = testCertificate;
    const server = tls ? createTlsServer({ cert, key }, answer) : createPlainServer(answer);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    this.#ports.set(port, typeof address === 'object' && address !== null ? address.port : 0);
    return server;
  }

  broker({
    hosts = ['*'],
    allowHttp = [],
    allowPrivate = [],
    local = [],
  }: {
    readonly hosts?: unknown;
    readonly allowHttp?: readonly string[];
    readonly allowPrivate?: readonly string[];
    readonly local?: readonly LocalNetwork[];
  } = {}): EgressBroker {
    return new EgressBroker({
      resolve: (name) => Promise.resolve(this.#answer(name)),
      localNetworks: () => local,
      timers: systemTimers,
      dial: (address, port) => this.#dial(address, port),
      hosts: parseHostPatterns(hosts, { any: true }),
      plainHosts: parseHostPatterns(allowHttp),
      openings: parseOpenings(allowPrivate),
      authorities: [testCertificate.authority],
    });
  }

  #answer(name: string): readonly string[] {
    this.queries.push(name);
    const answers = this.names.get(name) ?? [[PUBLIC]];
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  }

  async #dial(address: VettedAddress, port: number): Promise<Socket> {
    if (!VettedAddress.is(address)) throw new Error('not vetted');
    this.dialled.push(`${address.ip.text} ${port}`);
    const socket = connect(this.#ports.get(port) ?? 1, '127.0.0.1');
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.on('error', reject);
    });
    return socket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}
