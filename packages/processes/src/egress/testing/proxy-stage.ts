import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { systemTimers } from '@bulkhead/protocol';
import { testCertificate } from '@bulkhead/testkit';
import { EgressBroker, parseAllowList, parseHostPatterns, parseOpenings } from '@bulkhead/tools';
import { type EgressProxy, type EgressProxyOptions, openEgressProxy } from '../egress-proxy.ts';

export const PUBLIC = '93.184.216.34';

/**
 * A folder for a proxy, and simulated servers: all names resolve to a public address, and every
 * vetted address connects to this process. Queries and connections are recorded.
 */
export class ProxyStage implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'bulkhead-proxy-'));
  /** `address port` of each connection. */
  readonly dialled: string[] = [];
  readonly queries: string[] = [];
  /** Answer to every name query. */
  answers: readonly string[] = [PUBLIC];
  readonly #proxies: EgressProxy[] = [];
  readonly #servers: Server[] = [];
  /** Real ports by dialled port. */
  readonly #ports = new Map<number, number>();

  /** Serves every address at this port. */
  async serve(port: number, answer: RequestListener): Promise<void> {
    const { cert, key } = testCertificate;
    await this.#listen(
      port,
      port === 443 ? createTlsServer({ cert, key }, answer) : createPlainServer(answer),
    );
  }

  /**
   * Accepts connections at this port, reads the first bytes and hangs up. @returns the number of
   * bytes so far
   */
  async hear(port: number): Promise<() => number> {
    let heard = 0;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (chunk) => {
        heard += chunk.length;
        socket.destroy();
      });
    });
    await this.#listen(port, server);
    return () => heard;
  }

  async proxyFor(hosts: readonly string[], options: Partial<EgressProxyOptions> = {}): Promise<EgressProxy> {
    const broker = new EgressBroker({
      resolve: (name) => {
        this.queries.push(name);
        return Promise.resolve(this.answers);
      },
      localNetworks: () => [],
      timers: systemTimers,
      dial: async (address, port) => {
        this.dialled.push(`${address.ip.text} ${port}`);
        const socket = connect(this.#ports.get(port) ?? 1, '127.0.0.1');
        await new Promise((resolve, reject) => {
          socket.once('connect', resolve);
          socket.on('error', reject);
        });
        return socket;
      },
      hosts: parseHostPatterns(['*'], { any: true }),
      plainHosts: parseHostPatterns(['*.example.test', 'example.test']),
      openings: parseOpenings([]),
    });
    const allow = parseAllowList({ hosts, ports: [80, 443, 22] });
    const proxy = await openEgressProxy({
      folder: this.folder,
      allow,
      broker,
      timers: systemTimers,
      ...options,
    });
    this.#proxies.push(proxy);
    return proxy;
  }

  /** Ends the proxies that were opened. */
  async endProxies(): Promise<void> {
    for (const proxy of this.#proxies.splice(0)) await proxy[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endProxies();
    for (const server of this.#servers) server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #listen(port: number, server: Server): Promise<void> {
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    this.#ports.set(port, typeof address === 'object' && address !== null ? address.port : 0);
  }
}

/** Sends bytes to the proxy and returns the whole answer. */
export async function exchange(proxy: EgressProxy, bytes: string): Promise<string> {
  const socket = connect(proxy.socketPath);
  socket.on('error', () => {});
  socket.write(bytes);
  let text = '';
  for await (const part of socket) text += part;
  return text;
}

/** The stream behind a CONNECT. */
export async function connected(proxy: EgressProxy, authority: string): Promise<Socket> {
  const { socketPath } = proxy;
  const asking = request({ socketPath, method: 'CONNECT', path: authority, agent: false }).end();
  return await new Promise((resolve, reject) => {
    asking.once('connect', ({ statusCode }, socket) =>
      statusCode === 200 ? resolve(socket) : reject(new Error(`answered ${statusCode}`)),
    );
    asking.once('error', reject);
  });
}

/** The answer of `https://<servername>/` through a tunnel. */
export async function overTls(tunnel: Socket, servername: string, host = servername): Promise<string> {
  const ca = testCertificate.authority;
  const secured = connectTls({ socket: tunnel, servername, ca, ALPNProtocols: ['http/1.1'] });
  secured.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const part of secured) text += part;
  return text;
}
