import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, fetched } from '../testing/fetched.ts';
import { LittleInternet } from '../testing/little-internet.ts';

let internet: LittleInternet;
beforeEach(() => {
  internet = new LittleInternet();
});
afterEach(() => internet[Symbol.asyncDispose]());

describe('a redirect', () => {
  /** A server that redirects every request, depending on its path. */
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

  it('leads to no place of the own network, also to none that the user opened; the URL itself does [FT29] [FR9]', async () => {
    internet.names.set('home.test', [['192.168.0.1']]);
    const seen = await redirector({
      'example.test/1': 'https://home.test/',
      'example.test/2': 'https://192.168.1.5/',
    });
    const broker = internet.broker({ allowPrivate: ['home.test:443', '192.168.1.5:443'] });
    for (const path of ['1', '2']) {
      expect(await codeOf(fetched(broker, `https://example.test/${path}`))).toBe('blocked');
    }
    expect(await codeOf(fetched(broker, 'https://192.168.1.5/'))).toBe('tool_failed');
    expect(seen.map(([place]) => place)).toEqual(['example.test/1', 'example.test/2']);
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
