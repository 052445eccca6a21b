import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { systemTimers } from '@bulkhead/protocol';
import { testCertificate } from '@bulkhead/testkit';
import { EgressBroker, parseAllowList, parseHostPatterns, parseOpenings } from '@bulkhead/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EgressProxy, type EgressProxyOptions, openEgressProxy } from './egress-proxy.ts';

const PUBLIC = '93.184.216.34';
let folder: string;
const open: AsyncDisposable[] = [];
const servers: Server[] = [];
/** Real ports by the port that is dialled; what was dialled and asked for. */
let ports: Map<number, number>;
let dialled: string[];
let queries: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-proxy-'));
  [ports, dialled, queries] = [new Map(), [], []];
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function serve(port: number, answer: RequestListener, tls = port === 443): Promise<void> {
  const { cert, key } = testCertificate;
  const server = tls ? createTlsServer({ cert, key }, answer) : createPlainServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  ports.set(port, typeof address === 'object' && address !== null ? address.port : 0);
}

/** Takes connections, hears what comes first and hangs up. @returns bytes heard so far */
async function rawServer(port: number): Promise<() => number> {
  let heard = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      heard += chunk.length;
      socket.destroy();
    });
  });
  open.push({ [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  ports.set(port, typeof address === 'object' && address !== null ? address.port : 0);
  return () => heard;
}

/** A proxy for `hosts`, whose names all lead to a public address and whose addresses all lead to this process. */
async function proxyFor(
  hosts: readonly string[],
  options: Partial<EgressProxyOptions> = {},
  answers = [PUBLIC],
): Promise<EgressProxy> {
  const broker = new EgressBroker({
    resolve: (name) => {
      queries.push(name);
      return Promise.resolve(answers);
    },
    localNetworks: () => [],
    timers: systemTimers,
    dial: async (address, port) => {
      dialled.push(`${address.ip.text} ${port}`);
      const socket = connect(ports.get(port) ?? 1, '127.0.0.1');
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
  const proxy = await openEgressProxy({ folder, allow, broker, timers: systemTimers, ...options });
  open.push(proxy);
  return proxy;
}

/** Sends bytes to the proxy and gives all that comes back. */
async function exchange(proxy: EgressProxy, ...messages: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(proxy.socketPath);
  const parts: Buffer[] = [];
  for (const message of messages) {
    socket.write(message);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  socket.on('error', () => {});
  for await (const part of socket) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** The stream behind a CONNECT. */
async function connected(proxy: EgressProxy, authority: string): Promise<Socket> {
  const asking = request({
    socketPath: proxy.socketPath,
    method: 'CONNECT',
    path: authority,
    agent: false,
  }).end();
  return await new Promise((resolve, reject) => {
    asking.once('connect', ({ statusCode }, socket) =>
      statusCode === 200 ? resolve(socket) : reject(new Error(`answered ${statusCode}`)),
    );
    asking.once('error', reject);
  });
}

/** What `https://<servername>/` says through a tunnel. */
async function overTls(tunnel: Socket, servername: string, host = servername): Promise<string> {
  const secured = connectTls({
    socket: tunnel,
    servername,
    ca: testCertificate.authority,
    ALPNProtocols: ['http/1.1'],
  });
  secured.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const part of secured) text += part;
  return text;
}

describe('the proxy of a boxed command', () => {
  it('tunnels TLS to a host of the action, at the address that was vetted [B4] [FT31]', async () => {
    const body = 'x'.repeat(300_000);
    await serve(443, ({ socket, headers }, response) => {
      response.end(`${headers.host} ${'servername' in socket ? socket.servername : ''} ${body}`);
    });
    const proxy = await proxyFor(['example.test']);
    const text = await overTls(await connected(proxy, 'example.test:443'), 'example.test');
    expect(text).toContain(`example.test example.test ${body}`);
    expect([dialled, queries]).toEqual([[`${PUBLIC} 443`], ['example.test']]);
    expect(proxy.stats).toMatchObject({ connections: 1, reached: ['example.test:443'], refusals: [] });
    expect(proxy.stats.bytes).toBeGreaterThan(300_000);
  });

  it.each([
    'other.test:443',
    'example.test:8443',
    'example.test.evil.net:443',
    'c2VjcmV0.evil.net:443',
    '127.0.0.1:443',
    '[::1]:443',
    'localhost:443',
    'example.test.:443',
    'example.test',
    'example.test:',
    'user@example.test:443',
    'example.test:443@evil.net',
    '0x7f000001:443',
  ])('refuses CONNECT %s, without a word to anybody [FT32] [FT33]', async (authority) => {
    await serve(443, (_, response) => response.end());
    const proxy = await proxyFor(['example.test']);
    await expect(connected(proxy, authority)).rejects.toThrow(/answered 40[03]|socket hang up/);
    expect([...dialled, ...queries]).toEqual([]);
  });

  it('admits nobody for an empty list, and no address at home for a name that is allowed [FT33] [FT27]', async () => {
    await serve(443, (_, response) => response.end());
    await expect(connected(await proxyFor([]), 'example.test:443')).rejects.toThrow('answered 403');
    for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
    const home = await proxyFor(['example.test'], {}, [PUBLIC, '169.254.169.254']);
    await expect(connected(home, 'example.test:443')).rejects.toThrow('answered 403');
    expect(home.stats.refusals).toEqual([expect.stringContaining('169.254.169.254')]);
    expect(dialled).toEqual([]);
  });

  it.each([
    ['another name', 'other.test', false],
    ['a name below', 'www.example.test', false],
    ['no name', '', false],
    // The control: these bytes would arrive.
    ['its name', 'example.test', true],
  ])('lets a tunnel whose TLS is for %s (%s) send a byte: %s [FT31]', async (_, servername, arrives) => {
    const heard = await rawServer(443);
    const proxy = await proxyFor(['example.test']);
    const said = await overTls(await connected(proxy, 'example.test:443'), servername, 'other.test').catch(
      () => '',
    );
    expect(said).toBe('');
    expect(heard() > 0).toBe(arrives);
    const why = expect.stringContaining('the TLS client hello is for');
    expect(proxy.stats.refusals).toEqual(arrives ? [] : [why]);
  });

  it('ends a tunnel that is not TLS [FT31]', async () => {
    const heard = await rawServer(22);
    const proxy = await proxyFor(['example.test']);
    const tunnel = await connected(proxy, 'example.test:22');
    tunnel.write('GET / HTTP/1.1\r\nHost: example.test\r\n\r\n');
    const parts: Buffer[] = [];
    for await (const part of tunnel) parts.push(part);
    expect([parts, heard()]).toEqual([[], 0]);
    expect(proxy.stats.refusals).toEqual(['example.test: what was sent is no TLS client hello']);
  });

  it('writes plain requests anew, body and answer streaming, and nothing meant for a proxy goes along [B4] [FT31]', async () => {
    const seen: string[][] = [];
    await serve(80, async (incoming, response) => {
      seen.push([`${incoming.method} ${incoming.url}`, ...incoming.rawHeaders]);
      let body = '';
      for await (const part of incoming) body += part;
      response.writeHead(201, { 'x-kind': 'test' }).end(`got ${body}`);
    });
    const proxy = await proxyFor(['example.test']);
    const text = await exchange(
      proxy,
      'POST http://example.test/a?b HTTP/1.1\r\nHost: example.test\r\nContent-Length: 5\r\nX-A: 1\r\nConnection: close, x-hop\r\nX-Hop: 1\r\nProxy-Authorization: secret\r\n\r\nhello',
    );
    expect(text).toMatch(/^HTTP\/1.1 201 Created\r\n/);
    expect(text).toContain('got hello');
    expect(seen).toHaveLength(1);
    const [line, ...headers] = seen[0] ?? [];
    expect(line).toBe('POST /a?b');
    expect(headers.map((header) => header.toLowerCase())).toEqual(
      expect.arrayContaining(['x-a', '1', 'host', 'example.test']),
    );
    expect(headers.join().toLowerCase()).not.toMatch(/secret|x-hop|proxy/);
  });

  it.each([
    ['another Host', 'GET http://example.test/ HTTP/1.1\r\nHost: other.test\r\n\r\n'],
    ['two Hosts', 'GET http://example.test/ HTTP/1.1\r\nHost: example.test\r\nHost: other.test\r\n\r\n'],
    ['no Host', 'GET http://example.test/ HTTP/1.1\r\n\r\n'],
    ['a path alone', 'GET / HTTP/1.1\r\nHost: example.test\r\n\r\n'],
    ['https', 'GET https://example.test/ HTTP/1.1\r\nHost: example.test\r\n\r\n'],
    ['another host', 'GET http://other.test/ HTTP/1.1\r\nHost: other.test\r\n\r\n'],
    ['a user name', 'GET http://example.test@other.test/ HTTP/1.1\r\nHost: other.test\r\n\r\n'],
    [
      'two lengths',
      'POST http://example.test/ HTTP/1.1\r\nHost: example.test\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: example.test\r\n\r\n',
    ],
    [
      'two different lengths',
      'POST http://example.test/ HTTP/1.1\r\nHost: example.test\r\nContent-Length: 0\r\nContent-Length: 40\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: example.test\r\n\r\n',
    ],
    ['a bare line feed', 'GET http://example.test/ HTTP/1.1\nHost: example.test\n\n'],
    ['a folded header', 'GET http://example.test/ HTTP/1.1\r\nHost: example.test\r\nX-A: a\r\n b: c\r\n\r\n'],
    ['a blank before the colon', 'GET http://example.test/ HTTP/1.1\r\nHost : example.test\r\n\r\n'],
    [
      'headers without end',
      `GET http://example.test/ HTTP/1.1\r\nHost: example.test\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
  ])('refuses a plain request with %s [FT31]', async (_, bytes) => {
    const seen: (string | undefined)[] = [];
    await serve(80, ({ url }, response) => {
      seen.push(url);
      response.end('reached');
    });
    const proxy = await proxyFor(['example.test']);
    const socket = connect(proxy.socketPath);
    socket.on('error', () => {});
    socket.end(bytes);
    let text = '';
    for await (const part of socket) text += part;
    expect(text).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(seen).toEqual([]);
  });

  it('bounds what a command may move, and ends silence [B4]', async () => {
    await serve(80, (_, response) => response.end('x'.repeat(1_000_000)));
    const proxy = await proxyFor(['example.test'], { limits: { bytes: 100_000, idleMs: 200, helloMs: 200 } });
    const text = await exchange(
      proxy,
      'GET http://example.test/ HTTP/1.1\r\nHost: example.test\r\nConnection: close\r\n\r\n',
    );
    expect(text.length).toBeLessThan(150_000);
    await serve(443, (_, response) => response.end());
    // Says nothing after CONNECT, and nothing at all.
    const silent = await connected(proxy, 'example.test:443');
    for await (const part of silent) expect(part).toBeUndefined();
    expect(await exchange(proxy)).toMatch(/^(HTTP\/1.1 408 .*)?/s);
  });

  it('ends with the action: its connections, its socket [FR9]', async () => {
    await serve(443, () => {});
    const proxy = await proxyFor(['example.test']);
    const tunnel = await connected(proxy, 'example.test:443');
    const ended = new Promise((resolve) => tunnel.on('error', () => {}).once('close', resolve));
    await proxy[Symbol.asyncDispose]();
    open.splice(0);
    await ended;
    expect(existsSync(proxy.socketPath)).toBe(false);
  });

  it('is opened in no folder that others can enter', async () => {
    chmodSync(folder, 0o755);
    await expect(proxyFor(['example.test'])).rejects.toThrow(/no folder of this user alone/);
  });
});
