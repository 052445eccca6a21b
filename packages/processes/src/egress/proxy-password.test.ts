import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname } from 'node:path';
import { systemTimers } from '@bulkhead/protocol';
import { PROXY } from '@bulkhead/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proxyAt, SessionNetworks, type SessionPlace } from '../boxes/session-networks.ts';
import type { EgressProxy } from './egress-proxy.ts';
import { exchange, ProxyStage } from './testing/proxy-stage.ts';

let stage: ProxyStage;
beforeEach(() => {
  stage = new ProxyStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const CONNECT = 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n';
const GET = 'GET http://other.test/ HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n';

describe('a proxy with a password', () => {
  it.each([
    ['no password', undefined, 407],
    ['another one', basic('bulkhead:wrong'), 407],
    ['no user', basic(':secret'), 407],
    ['a longer one', basic('bulkhead:secret1'), 407],
    ['another scheme', `Bearer ${Buffer.from('bulkhead:secret').toString('base64')}`, 407],
    ['no base64', 'Basic bulkhead:secret', 407],
    // The control.
    ['its own', basic('bulkhead:secret'), 403],
  ])('given %s answers as it must, and counts a need only for its own [B4]', async (_, header, status) => {
    const proxy = await stage.proxyFor([], { password: 'secret' });
    const given = header === undefined ? '' : `Proxy-Authorization: ${header}\r\n`;
    for (const asked of [CONNECT, GET]) {
      const answer = await exchange(proxy, `${asked}${given}\r\n`);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(/^proxy-authenticate: basic /im.test(answer)).toBe(status === 407);
    }
    const { needed, refusals, reached } = proxy.stats;
    const counted = status === 403;
    expect([needed, refusals.length, reached]).toEqual([
      counted ? ['other.test:443'] : [],
      counted ? 1 : 0,
      [],
    ]);
  });

  it('answers 407 also to a host that is allowed, and connects nowhere [B4]', async () => {
    await stage.serve(443, (_, response) => response.end());
    const proxy = await stage.proxyFor(['other.test'], { password: 'secret' });
    expect(await exchange(proxy, `${CONNECT}\r\n`)).toMatch(/^HTTP\/1.1 407 /);
    expect([stage.dialled, stage.queries]).toEqual([[], []]);
  });
});

/** Programs and their arguments to ask for a page of `https://HOST/`. */
const CLIENTS: readonly (readonly [string, string, (host: string) => readonly string[]])[] = [
  ['curl', '/usr/bin/curl', (host) => ['-sS', '-m', '60', `https://${host}/`]],
  ['git', '/usr/bin/git', (host) => ['ls-remote', `https://${host}/repository`]],
  ['wget', '/usr/bin/wget', (host) => ['-q', '-t', '1', '-O', '-', `https://${host}/`]],
  ['node', process.execPath, (host) => ['-e', `fetch('https://${host}/').catch(() => {})`]],
  [
    'python',
    '/usr/bin/python3',
    (host) => [
      '-c',
      `import urllib.request\ntry: urllib.request.urlopen('https://${host}/')\nexcept OSError: pass`,
    ],
  ],
  [
    'npm',
    '/usr/bin/npm',
    (host) => ['view', 'package', '--registry', `https://${host}/`, '--fetch-retries', '0'],
  ],
];

const NODE_KNOWS_PROXIES = process.allowedNodeEnvironmentFlags.has('--use-env-proxy');

describe('the environment of a command in a shared network', () => {
  const networks = new SessionNetworks(
    { keepSession: async () => ({ users: 0, network: 0, [Symbol.dispose]() {} }) },
    systemTimers,
  );

  /** Stands for the forwarder: this machine's loopback has these addresses too. */
  async function forward(proxy: EgressProxy, { address, port }: SessionPlace): Promise<AsyncDisposable> {
    const server = createServer((socket) => {
      const inner = connect(proxy.socketPath);
      for (const one of [socket, inner]) one.on('error', () => {});
      socket.pipe(inner).pipe(socket);
    });
    server.listen(port, [127, address >> 16, (address >> 8) & 255, address & 255].join('.'));
    await once(server, 'listening');
    return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
  }

  it.each(CLIENTS.filter(([name, file]) => existsSync(file) && (name !== 'node' || NODE_KNOWS_PROXIES)))(
    'has a password that %s gives, so that its host is named [B4]',
    { timeout: 120_000 },
    async (name, file, ask) => {
      using place = await networks.enter('s');
      const proxy = await stage.proxyFor([], { password: place.password });
      await using _forwarder = await forward(proxy, place);
      const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy'];
      const env = proxyAt(place, {
        ...Object.fromEntries(names.map((one) => [one, PROXY])),
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: stage.folder,
        NODE_USE_ENV_PROXY: '1',
        GIT_TERMINAL_PROMPT: '0',
      });
      const said = await new Promise<string>((resolve) =>
        execFile(file, ask(`${name}.test`), { env, cwd: stage.folder }, (_, out, error) =>
          resolve(out + error),
        ),
      );
      expect(proxy.stats.needed).toEqual([`${name}.test:443`]);
      expect(said).not.toContain(place.password);
    },
  );

  it('has an address and a password of its own for each command', async () => {
    const urls = new Set<string>();
    for (let count = 0; count < 100; count += 1) {
      using place = await networks.enter('s');
      const { proxy = '' } = proxyAt(place, { proxy: PROXY });
      const { hostname, port, username, password } = new URL(proxy);
      expect([username, password.length]).toEqual(['bulkhead', 32]);
      expect(hostname).toMatch(/^127\.(?!0\.)\d+\.\d+\.\d+$/);
      expect(Number(port)).toBeGreaterThan(9_999);
      urls.add(`${hostname}:${port}`).add(password);
    }
    expect(urls.size).toBe(200);
  });
});
