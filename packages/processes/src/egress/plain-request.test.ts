import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exchange, ProxyStage } from './testing/proxy-stage.ts';

let stage: ProxyStage;
beforeEach(() => {
  stage = new ProxyStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

describe('a plain request through the proxy', () => {
  it('writes plain requests anew, body and answer streaming, and nothing meant for a proxy goes along [B4] [FT31]', async () => {
    const seen: string[][] = [];
    await stage.serve(80, async (incoming, response) => {
      seen.push([`${incoming.method} ${incoming.url}`, ...incoming.rawHeaders]);
      let body = '';
      for await (const part of incoming) body += part;
      response.writeHead(201, { 'x-kind': 'test' }).end(`got ${body}`);
    });
    const proxy = await stage.proxyFor(['example.test']);
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
    await stage.serve(80, ({ url }, response) => {
      seen.push(url);
      response.end('reached');
    });
    const proxy = await stage.proxyFor(['example.test']);
    const socket = connect(proxy.socketPath);
    socket.on('error', () => {});
    socket.end(bytes);
    let text = '';
    for await (const part of socket) text += part;
    expect(text).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(seen).toEqual([]);
  });
});
