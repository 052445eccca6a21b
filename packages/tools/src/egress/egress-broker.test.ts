import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LittleInternet, PUBLIC } from '../testing/little-internet.ts';
import { parseAllowList } from './allow-list.ts';
import type { EgressBroker, FetchRules } from './egress-broker.ts';
import type { OneRequest } from './exchange.ts';
import { parseWebUrl } from './web-url.ts';

let internet: LittleInternet;
beforeEach(() => {
  internet = new LittleInternet();
});
afterEach(() => internet[Symbol.asyncDispose]());

/** Fetches what a URL names, allowed to its own host. */
async function fetched(
  broker: EgressBroker,
  text: string,
  rules: Partial<FetchRules> = {},
  more: Partial<OneRequest> = {},
) {
  const url = parseWebUrl(text);
  const allow = parseAllowList({ hosts: [url.host.text], ports: [url.port] });
  const request = { url, method: 'GET', headers: [], body: undefined, ...more };
  const all = { allow, redirects: 'public', maxBytes: 10_000, timeoutMs: 5_000, ...rules } as const;
  return await broker.fetch(request, all, AbortSignal.timeout(10_000));
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'reached',
    (error: unknown) => BulkheadError.from(error).code,
  );

describe('names', () => {
  it('are resolved once for a connection, and what was vetted is dialled: no second answer is asked for [FT28] [B4]', async () => {
    await internet.serve(443, (_, response) => response.end('ok'));
    internet.names.set('example.test', [['93.184.216.34'], ['127.0.0.1']]);
    const answer = await fetched(internet.broker(), 'https://example.test/');
    expect(internet.queries).toEqual(['example.test']);
    expect(internet.dialled).toEqual(['93.184.216.34 443']);
    expect(answer.status).toBe(200);
    // The flipped answer is there for the next request, and judged like the first.
    expect(await codeOf(fetched(internet.broker(), 'https://example.test/'))).toBe('blocked');
    expect(internet.dialled).toHaveLength(1);
  });

  it('that also have an address at home are refused whole, in any order and family [FT28]', async () => {
    await internet.serve(443, (_, response) => response.end('ok'));
    const mixed = [
      ['93.184.216.34', '127.0.0.1'],
      ['127.0.0.1', '93.184.216.34'],
      ['93.184.216.34', '::1'],
      ['2606:4700::1111', '10.0.0.1'],
      ['93.184.216.34', '::ffff:192.168.0.1'],
      ['93.184.216.34', 'fe80::1%eth0'],
      ['93.184.216.34', 'not an address'],
      [...Array.from({ length: 20 }, () => '93.184.216.34'), '169.254.169.254'],
      [],
    ];
    for (const answers of mixed) {
      internet.names.set('example.test', [answers]);
      expect([answers, await codeOf(fetched(internet.broker(), 'https://example.test/'))]).toEqual([
        answers,
        'blocked',
      ]);
    }
    expect(internet.dialled).toEqual([]);
    internet.names.set('example.test', [['93.184.216.34', '2606:4700::1111']]);
    expect(await codeOf(fetched(internet.broker(), 'https://example.test/'))).toBe('reached');
  });

  it('are not even asked about where the host is not allowed [FT32] [FT33]', async () => {
    const allow = parseAllowList({ hosts: ['example.test'] });
    for (const text of [
      'https://c2VjcmV0.evil.net/',
      'https://example.test.evil.net/',
      'http://example.test/',
      'https://example.test:8443/',
    ]) {
      expect(await codeOf(fetched(internet.broker(), text, { allow }))).toBe('blocked');
    }
    expect(internet.queries).toEqual([]);
  });
});

describe('TLS', () => {
  it('proves the name, whatever address was dialled; Host and server name are that name [FT31] [B4]', async () => {
    const seen: unknown[] = [];
    await internet.serve(443, (request, response) => {
      const servername = 'servername' in request.socket ? request.socket.servername : '';
      seen.push([request.headers.host, servername]);
      response.end();
    });
    await fetched(internet.broker(), 'https://www.example.test/');
    expect(seen).toEqual([['www.example.test', 'www.example.test']]);
    const error = await fetched(internet.broker(), 'https://impostor.net/').catch(BulkheadError.from);
    expect(error).toMatchObject({
      code: 'tool_failed',
      message: expect.stringContaining('no secure connection'),
    });
    // A certificate for names is none for the address.
    expect(await codeOf(fetched(internet.broker(), `https://${PUBLIC}/`))).toBe('tool_failed');
    expect(seen).toHaveLength(1);
  });

  it('is not loosened by the environment', async () => {
    await internet.serve(443, (_, response) => response.end());
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await codeOf(fetched(internet.broker(), 'https://impostor.net/'))).toBe('tool_failed');
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('is needed: http is refused but for hosts that the user named, and for an opening [B4]', async () => {
    await internet.serve(80, (_, response) => response.end('plain'));
    await internet.serve(8080, (_, response) => response.end('home'), { tls: false });
    expect(await codeOf(fetched(internet.broker(), 'http://example.test/'))).toBe('blocked');
    expect(internet.queries).toEqual([]);
    const plain = internet.broker({ allowHttp: ['example.test'] });
    expect((await fetched(plain, 'http://example.test/')).body.toString()).toBe('plain');
    const home = internet.broker({ allowPrivate: ['192.168.1.5:8080'] });
    expect((await fetched(home, 'http://192.168.1.5:8080/')).body.toString()).toBe('home');
    expect(await codeOf(fetched(home, 'http://192.168.1.5/'))).toBe('blocked');
    expect(await codeOf(fetched(home, 'http://192.168.1.6:8080/'))).toBe('blocked');
  });
});

describe('an opening of the own network', () => {
  it.each([
    ['nas.example:8080', '192.168.1.5', 'reached'],
    ['nas.example:8080', 'fd00::5', 'reached'],
    ['nas.example:8080', '127.0.0.1', 'blocked'],
    ['nas.example:8080', '169.254.169.254', 'blocked'],
    ['nas.example:8080', '0.0.0.0', 'blocked'],
    // On the internet it is a host like any other: no plain http.
    ['nas.example:8080', '93.184.216.34', 'blocked'],
    ['nas:8080', '192.168.1.5', 'reached'],
    ['localhost:8080', '127.0.0.1', 'reached'],
    ['localhost:8080', '192.168.1.5', 'blocked'],
  ])('%s for a name that leads to %s: %s [FT27] [FT28]', async (place, address, expected) => {
    await internet.serve(8080, (_, response) => response.end(), { tls: false });
    internet.names.set(place.split(':')[0] ?? '', [[address]]);
    expect(await codeOf(fetched(internet.broker({ allowPrivate: [place] }), `http://${place}/`))).toBe(
      expected,
    );
    expect(internet.dialled).toHaveLength(expected === 'reached' ? 1 : 0);
  });

  it('never opens link-local and the like, and takes nothing that is no host with a port', async () => {
    const broker = internet.broker({ allowPrivate: ['169.254.169.254:80', '[fe80::1]:80', '0.0.0.0:80'] });
    for (const text of ['http://169.254.169.254/', 'http://[fe80::1]/', 'http://0.0.0.0/']) {
      expect(await codeOf(fetched(broker, text))).toBe('blocked');
    }
    for (const entry of [
      '192.168.1.5',
      '192.168.1.0/24:80',
      '*:80',
      'nas:0',
      'nas:99999',
      'http://nas:80',
      '',
    ]) {
      expect(() => internet.broker({ allowPrivate: [entry] })).toThrow(/is no host with a port/);
    }
  });
});

describe('a redirect', () => {
  /** A server that sends everybody on, by the path that was asked for. */
  async function redirector(places: Readonly<Record<string, string>>, status = 302) {
    const seen: [string, IncomingHttpHeaders][] = [];
    await internet.serve(443, ({ url = '', headers }, response) => {
      seen.push([`${headers.host}${url}`, headers]);
      const location = places[`${headers.host}${url}`];
      if (location === undefined) response.end('the end');
      else response.writeHead(status, { location }).end();
    });
    return seen;
  }

  it.each([
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://home.test/',
    'https://2130706433/',
    'https://localhost/',
    'http://example.test/',
    'http://127.0.0.1:8080/',
    'https://example.test:22/',
    'https://user@other.test/',
    'ftp://other.test/',
    'file:///etc/passwd',
    '//127.0.0.1/',
    'https://other.test\\@127.0.0.1/',
  ])('to %s is refused [FT29] [FR9]', async (location) => {
    internet.names.set('home.test', [['192.168.0.1']]);
    const seen = await redirector({ 'example.test/': location });
    const broker = internet.broker({
      allowHttp: ['example.test', '127.0.0.1'],
      allowPrivate: ['127.0.0.1:8080'],
    });
    expect(await codeOf(fetched(broker, 'https://example.test/'))).toMatch(/blocked|invalid_arguments/);
    expect(seen).toHaveLength(1);
    expect(internet.dialled).toHaveLength(1);
  });

  it('to another public host is a new destination: resolved, vetted, dialled; nothing private goes along [FT29]', async () => {
    internet.names.set('other.test', [['2606:4700::1111']]);
    const seen = await redirector({ 'example.test/': 'https://other.test/x' });
    const answer = await fetched(
      internet.broker(),
      'https://example.test/',
      {},
      {
        headers: [
          ['Authorization', 'Bearer secret'],
          ['X-Api-Key', 'secret'],
          ['Accept', 'text/html'],
        ],
      },
    );
    expect(answer.url.href).toBe('https://other.test/x');
    expect(answer.body.toString()).toBe('the end');
    expect(internet.dialled).toEqual(['93.184.216.34 443', '2606:4700::1111 443']);
    expect(seen[0]?.[1]).toMatchObject({ authorization: 'Bearer secret', 'x-api-key': 'secret' });
    expect(JSON.stringify(seen[1]?.[1])).not.toContain('secret');
    expect(seen[1]?.[1]).toMatchObject({ accept: 'text/html', host: 'other.test' });
  });

  it('of a name that flips meanwhile is refused: each hop is vetted anew [FT28] [FT29]', async () => {
    internet.names.set('example.test', [['93.184.216.34'], ['127.0.0.1']]);
    await redirector({ 'example.test/': '/again' });
    expect(await codeOf(fetched(internet.broker(), 'https://example.test/'))).toBe('blocked');
    expect(internet.dialled).toHaveLength(1);
  });

  it.each([
    [5, 'reached'],
    [6, 'blocked'],
    [50, 'blocked'],
  ])('%i of them: %s [FT29]', async (count, expected) => {
    const places = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`example.test/${n}`, `/${n + 1}`]),
    );
    const seen = await redirector(places);
    expect(await codeOf(fetched(internet.broker(), 'https://example.test/0'))).toBe(expected);
    expect(seen).toHaveLength(6);
  });

  it('is not followed to another origin where only the own is allowed, and never with anything but reading [FT29]', async () => {
    const seen = await redirector({ 'example.test/': 'https://other.test/', 'example.test/own': '/' }, 307);
    const answer = await fetched(internet.broker(), 'https://example.test/own', { redirects: 'origin' });
    expect(answer).toMatchObject({ status: 307, headers: { location: 'https://other.test/' } });
    const post = await fetched(
      internet.broker(),
      'https://example.test/own',
      {},
      { method: 'POST', body: Buffer.from('x') },
    );
    expect(post.status).toBe(307);
    expect(seen).toHaveLength(3);
  });

  it('stays within the hosts that the user allows', async () => {
    await redirector({ 'example.test/': 'https://other.test/' });
    expect(await codeOf(fetched(internet.broker({ hosts: ['example.test'] }), 'https://example.test/'))).toBe(
      'blocked',
    );
    expect(internet.queries).toEqual(['example.test']);
  });
});

describe('an answer', () => {
  const serveBody = (send: (response: ServerResponse) => void) =>
    internet.serve(443, (_, response) => send(response));

  it('is unpacked, and of a bomb only the first bytes go off [B4]', async () => {
    const bomb = Buffer.alloc(64 * 1024 * 1024);
    for (const [encoding, pack] of [['gzip', gzipSync] as const, ['br', brotliCompressSync] as const]) {
      await serveBody((response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(pack(bomb)),
      );
      const answer = await fetched(internet.broker(), 'https://example.test/', { maxBytes: 100_000 });
      expect([answer.body.length, answer.truncated]).toEqual([100_000, true]);
      await serveBody((response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(pack(Buffer.from('hi'))),
      );
      const small = await fetched(internet.broker(), 'https://example.test/');
      expect([small.body.toString(), small.truncated]).toEqual(['hi', false]);
    }
  });

  it.each(['deflate', 'gzip, gzip', 'compress', 'x'])(
    'packed as %s was not asked for [B4]',
    async (encoding) => {
      await serveBody((response) => response.writeHead(200, { 'content-encoding': encoding }).end('x'));
      expect(await codeOf(fetched(internet.broker(), 'https://example.test/'))).toBe('tool_failed');
    },
  );

  it('that never ends is cut by size, and one that says nothing by time [B4]', async () => {
    await serveBody((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1_000)));
      };
      response.on('drain', more);
      more();
    });
    const endless = await fetched(internet.broker(), 'https://example.test/', { maxBytes: 50_000 });
    expect([endless.body.length, endless.truncated]).toEqual([50_000, true]);
    await serveBody((response) => response.writeHead(200).write('a'));
    expect(await codeOf(fetched(internet.broker(), 'https://example.test/', { timeoutMs: 200 }))).toBe(
      'timeout',
    );
    await serveBody(() => {});
    expect(await codeOf(fetched(internet.broker(), 'https://example.test/', { timeoutMs: 200 }))).toBe(
      'timeout',
    );
  });

  it('that breaks off is an error, not the whole', async () => {
    await serveBody((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => response.destroy());
    });
    expect(await codeOf(fetched(internet.broker(), 'https://example.test/'))).toBe('tool_failed');
  });

  it('to HEAD has no body, whatever its headers say', async () => {
    await serveBody((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '9' }).end(),
    );
    const answer = await fetched(internet.broker(), 'https://example.test/', {}, { method: 'HEAD' });
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
  });
});

describe('headers of a request', () => {
  it.each([
    ['Host', 'evil.net'],
    ['host', 'evil.net'],
    ['Connection', 'upgrade'],
    ['Proxy-Authorization', 'x'],
    ['Proxy-Connection', 'x'],
    ['Content-Length', '5'],
    ['Transfer-Encoding', 'chunked'],
    ['TE', 'trailers'],
    ['Upgrade', 'h2c'],
    ['Expect', '100-continue'],
    ['Cookie', 'a=b'],
    ['Sec-Fetch-Site', 'x'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-A', 'b\r\nHost: evil.net'],
    ['X-A', 'b\nc'],
    ['X-A', 'b\0c'],
    ['X-A', 'é'],
    ['X-A', ' b'],
    ['X A', 'b'],
    ['X-A:', 'b'],
    ['', 'b'],
    ['X-A\r\nHost', 'b'],
  ])('%j: %j are not sent [FT31] [B4]', async (name, value) => {
    await internet.serve(443, (_, response) => response.end());
    const work = fetched(internet.broker(), 'https://example.test/', {}, { headers: [[name, value]] });
    expect(await codeOf(work)).toBe('invalid_arguments');
    expect(internet.queries).toEqual([]);
  });

  it('twice by one name are refused; others arrive as they are', async () => {
    const seen: string[] = [];
    await internet.serve(443, ({ rawHeaders }, response) => {
      seen.push(...rawHeaders);
      response.end();
    });
    const twice = [['X-A', '1'] as const, ['x-a', '2'] as const];
    expect(await codeOf(fetched(internet.broker(), 'https://example.test/', {}, { headers: twice }))).toBe(
      'invalid_arguments',
    );
    await fetched(internet.broker(), 'https://example.test/', {}, { headers: [['X-A', 'b c']] });
    expect(seen).toEqual(
      expect.arrayContaining(['X-A', 'b c', 'Host', 'example.test', 'Connection', 'close']),
    );
    expect(seen.filter((name) => name.toLowerCase() === 'host')).toHaveLength(1);
  });
});
