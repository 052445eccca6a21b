import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, fetched } from '../testing/fetched.ts';
import { LittleInternet, PUBLIC } from '../testing/little-internet.ts';
import { parseAllowList } from './allow-list.ts';

let internet: LittleInternet;
beforeEach(() => {
  internet = new LittleInternet();
});
afterEach(() => internet[Symbol.asyncDispose]());

describe('names', () => {
  it('are resolved once for a connection, and what was vetted is dialled: no second answer is asked for [FT28] [B4]', async () => {
    await internet.serve(443, (_, response) => response.end('ok'));
    internet.names.set('example.test', [['93.184.216.34'], ['127.0.0.1']]);
    const answer = await fetched(internet.broker(), 'https://example.test/');
    expect(internet.queries).toEqual(['example.test']);
    expect(internet.dialled).toEqual(['93.184.216.34 443']);
    expect(answer.status).toBe(200);
    // The next request gets the flipped answer, which is judged like the first.
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
    // A certificate for names is not valid for the address.
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

describe('an answer', () => {
  const serveBody = (send: (response: ServerResponse) => void) =>
    internet.serve(443, (_, response) => send(response));

  it('is unpacked, and of a bomb only the first bytes go off [B4]', async () => {
    const bomb = Buffer.alloc(64 * 1024 * 1024);
    for (const [encoding, pack] of [['gzip', gzipSync] as const, ['br', brotliCompressSync] as const]) {
      // Compressed beforehand: the request's deadline runs while its answer is made.
      const packed = pack(bomb);
      await serveBody((response) => response.writeHead(200, { 'content-encoding': encoding }).end(packed));
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
