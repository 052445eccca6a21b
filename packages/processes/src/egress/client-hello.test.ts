import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClientHello } from './client-hello.ts';

/** The first bytes of a real client for a name. */
async function realHello(servername: string | undefined): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      resolve(bytes);
      socket.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = isInfo(address) ? address.port : 0;
  const client = connect({ port, host: '127.0.0.1', ...(servername === undefined ? {} : { servername }) });
  client.on('error', () => {});
  const bytes = await promise;
  client.destroy();
  server.close();
  return bytes;
}

function isInfo(address: ReturnType<ReturnType<typeof createServer>['address']>): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

const number = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};
const sized = (size: number, ...parts: readonly Buffer[]) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([number(content.length, size), content]);
};
const extension = (type: number, content: Buffer) => Buffer.concat([number(type, 2), sized(2, content)]);
const serverName = (name: string, type = 0) =>
  extension(0, sized(2, Buffer.concat([number(type, 1), sized(2, Buffer.from(name))])));

/** A hand-made hello that no real client would send. */
function handMade(...extensions: readonly Buffer[]): Buffer {
  const body = Buffer.concat([
    number(0x0303, 2),
    Buffer.alloc(32, 7),
    sized(1, Buffer.alloc(32)),
    sized(2, number(0x1301, 2)),
    sized(1, number(0, 1)),
    sized(2, ...extensions),
  ]);
  return record(Buffer.concat([number(1, 1), sized(3, body)]));
}

const record = (payload: Buffer, type = 22) =>
  Buffer.concat([number(type, 1), number(0x0301, 2), sized(2, payload)]);

describe('a client hello', () => {
  it('of a real client names its host, or none [FT31]', async () => {
    expect(readClientHello(await realHello('www.example.org'))).toEqual({
      state: 'complete',
      serverName: 'www.example.org',
    });
    expect(readClientHello(await realHello(undefined))).toEqual({ state: 'complete', serverName: undefined });
    expect(readClientHello(handMade(serverName('a.org')))).toEqual({
      state: 'complete',
      serverName: 'a.org',
    });
  });

  it('is waited for, byte by byte, and however it is cut into records [FT31]', async () => {
    const bytes = await realHello('www.example.org');
    for (let length = 0; length < bytes.length; length += 1) {
      expect(readClientHello(bytes.subarray(0, length)).state).toBe('more');
    }
    const handshake = bytes.subarray(5);
    const pieces = Array.from({ length: Math.ceil(handshake.length / 7) }, (_, n) =>
      handshake.subarray(n * 7, n * 7 + 7),
    );
    const cut = Buffer.concat(pieces.map((piece) => record(piece)));
    expect(readClientHello(cut)).toEqual({ state: 'complete', serverName: 'www.example.org' });
    const early = Buffer.concat([bytes, record(Buffer.from('early'), 23)]);
    expect(readClientHello(early)).toEqual({ state: 'complete', serverName: 'www.example.org' });
  });

  it.each([
    ['plain HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: evil.net\r\n\r\n')],
    ['SSH', Buffer.from('SSH-2.0-OpenSSH_9.9\r\n')],
    ['nothing but zeros', Buffer.alloc(100)],
    ['another handshake message', record(Buffer.concat([number(2, 1), sized(3, Buffer.alloc(40))]))],
    ['a record of an alert', record(Buffer.from([1, 0]), 21)],
    ['an empty record', record(Buffer.alloc(0))],
    [
      'two names',
      handMade(
        extension(
          0,
          sized(
            2,
            Buffer.concat([
              number(0, 1),
              sized(2, Buffer.from('a.org')),
              number(0, 1),
              sized(2, Buffer.from('b.org')),
            ]),
          ),
        ),
      ),
    ],
    ['the extension twice', handMade(serverName('a.org'), serverName('b.org'))],
    ['a name of another kind', handMade(serverName('a.org', 1))],
    ['an encrypted hello', handMade(serverName('a.org'), extension(0xfe0d, Buffer.alloc(8)))],
    ['an encrypted server name', handMade(serverName('a.org'), extension(0xffce, Buffer.alloc(8)))],
    [
      'an extension that is longer than all',
      handMade(Buffer.concat([number(0, 2), number(500, 2), Buffer.from('x')])),
    ],
    [
      'a hello that is interrupted',
      Buffer.concat([record(handMade(serverName('a.org')).subarray(5, 20)), record(Buffer.from('x'), 23)]),
    ],
    ['a hello of a megabyte', record(Buffer.concat([number(1, 1), number(1_000_000, 3), Buffer.alloc(100)]))],
  ])('is not %s [FT31]', (_, bytes) => {
    expect(readClientHello(bytes).state).toBe('refused');
  });

  it('never reads past its end, and never throws', async () => {
    const bytes = await realHello('www.example.org');
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
        const changed = Buffer.from(bytes);
        for (const { at, to } of changes) changed[at] = to;
        expect(readClientHello(changed).state).toMatch(/^(more|refused|complete)$/);
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (random) => readClientHello(Buffer.from(random)).state !== 'complete',
      ),
    );
  });
});
