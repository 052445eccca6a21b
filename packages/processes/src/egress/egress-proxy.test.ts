import { chmodSync, existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connected, exchange, overTls, ProxyStage, PUBLIC } from './testing/proxy-stage.ts';

let stage: ProxyStage;
beforeEach(() => {
  stage = new ProxyStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

describe('the proxy of a boxed command', () => {
  it('tunnels TLS to a host of the action, at the address that was vetted [B4] [FT31]', async () => {
    const body = 'x'.repeat(300_000);
    await stage.serve(443, ({ socket, headers }, response) => {
      response.end(`${headers.host} ${'servername' in socket ? socket.servername : ''} ${body}`);
    });
    const proxy = await stage.proxyFor(['example.test']);
    const text = await overTls(await connected(proxy, 'example.test:443'), 'example.test');
    expect(text).toContain(`example.test example.test ${body}`);
    expect([stage.dialled, stage.queries]).toEqual([[`${PUBLIC} 443`], ['example.test']]);
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
    await stage.serve(443, (_, response) => response.end());
    const proxy = await stage.proxyFor(['example.test']);
    await expect(connected(proxy, authority)).rejects.toThrow(/answered 40[03]|socket hang up/);
    expect([...stage.dialled, ...stage.queries]).toEqual([]);
  });

  it('names what a command asked for and only its list forbids, without a word to anybody [B4]', async () => {
    const proxy = await stage.proxyFor([]);
    for (const at of ['other.test:443', 'other.test:443', 'other.test:8443', '10.0.0.1:443', 'local:443'])
      await expect(connected(proxy, at)).rejects.toThrow('answered 403');
    await exchange(proxy, 'GET http://other.test/ HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n');
    expect(proxy.stats.needed).toEqual(['other.test:443', 'other.test:8443']);
    expect(proxy.stats.refusals).toEqual([
      expect.stringContaining('10.0.0.1'),
      expect.stringContaining('local is a name of the local network'),
      expect.stringContaining('without encryption'),
    ]);
    expect([...stage.dialled, ...stage.queries]).toEqual([]);
  });

  it('admits no one for an empty list, and no address at home for a name that is allowed [FT33] [FT27]', async () => {
    await stage.serve(443, (_, response) => response.end());
    await expect(connected(await stage.proxyFor([]), 'example.test:443')).rejects.toThrow('answered 403');
    await stage.endProxies();
    stage.answers = [PUBLIC, '169.254.169.254'];
    const home = await stage.proxyFor(['example.test']);
    await expect(connected(home, 'example.test:443')).rejects.toThrow('answered 403');
    expect(home.stats.refusals).toEqual([expect.stringContaining('169.254.169.254')]);
    expect(stage.dialled).toEqual([]);
  });

  it.each([
    ['another name', 'other.test', false],
    ['a name below', 'www.example.test', false],
    ['no name', '', false],
    // The control: these bytes would arrive.
    ['its name', 'example.test', true],
  ])('lets a tunnel whose TLS is for %s (%s) send a byte: %s [FT31]', async (_, servername, arrives) => {
    const heard = await stage.hear(443);
    const proxy = await stage.proxyFor(['example.test']);
    const said = await overTls(await connected(proxy, 'example.test:443'), servername, 'other.test').catch(
      () => '',
    );
    expect(said).toBe('');
    expect(heard() > 0).toBe(arrives);
    const why = expect.stringContaining('the TLS client hello is for');
    expect(proxy.stats.refusals).toEqual(arrives ? [] : [why]);
  });

  it('ends a tunnel that is not TLS [FT31]', async () => {
    const heard = await stage.hear(22);
    const proxy = await stage.proxyFor(['example.test']);
    const tunnel = await connected(proxy, 'example.test:22');
    tunnel.write('GET / HTTP/1.1\r\nHost: example.test\r\n\r\n');
    const parts: Buffer[] = [];
    for await (const part of tunnel) parts.push(part);
    expect([parts, heard()]).toEqual([[], 0]);
    expect(proxy.stats.refusals).toEqual(['example.test: what was sent is no TLS client hello']);
  });

  it('bounds what a command may move, and ends silence [B4]', async () => {
    await stage.serve(80, (_, response) => response.end('x'.repeat(1_000_000)));
    const proxy = await stage.proxyFor(['example.test'], {
      limits: { bytes: 100_000, idleMs: 200, helloMs: 200 },
    });
    const text = await exchange(
      proxy,
      'GET http://example.test/ HTTP/1.1\r\nHost: example.test\r\nConnection: close\r\n\r\n',
    );
    expect(text.length).toBeLessThan(150_000);
    await stage.serve(443, (_, response) => response.end());
    // Silent after CONNECT, and silent from the start.
    const silent = await connected(proxy, 'example.test:443');
    for await (const part of silent) expect(part).toBeUndefined();
    expect(await exchange(proxy, '')).toMatch(/^(HTTP\/1.1 408 .*)?/s);
  });

  it('ends with the action: its connections, its socket [FR9]', async () => {
    await stage.serve(443, () => {});
    const proxy = await stage.proxyFor(['example.test']);
    const tunnel = await connected(proxy, 'example.test:443');
    const ended = new Promise((resolve) => tunnel.on('error', () => {}).once('close', resolve));
    await stage.endProxies();
    await ended;
    expect(existsSync(proxy.socketPath)).toBe(false);
  });

  it('is opened in no folder that others can enter', async () => {
    chmodSync(stage.folder, 0o755);
    await expect(stage.proxyFor(['example.test'])).rejects.toThrow(/no folder of this user alone/);
  });
});
