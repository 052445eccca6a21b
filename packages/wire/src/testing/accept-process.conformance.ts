import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { type ErrorCode, PROTOCOL_VERSION } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AcceptOptions } from '../accept-process.ts';
import { encodeFrames } from '../frame.ts';
import { type SocketPair, socketPair } from './socket-pair.ts';

/** The engine's end of a connection to one kind of boxed process, for the suite. */
export interface ProcessServer {
  readonly name: string;
  /** Largest message accepted from it, in bytes. */
  readonly maxMessageBytes: number;
  /** Codes of its failures. */
  readonly codes: Readonly<Record<'violation' | 'timeout' | 'gone', ErrorCode>>;
  readonly ready: (token: string, protocolVersion: number) => Uint8Array;
  /** An event that may come neither before `ready` nor unrequested after it. */
  readonly untimely: Uint8Array;
  readonly serve: (duplex: Duplex, options: AcceptOptions) => Promise<ServedProcess>;
}

interface ServedProcess {
  readonly closed: Promise<void>;
  /** Uses the connection until it ends; rejects with the process's violation. */
  use(): Promise<unknown>;
}

const OPTIONS = { token: 't', timeoutMs: 2_000 };

/** The suite for every end of the engine: no behaviour of a boxed process can harm the engine. */
export function describeProcessServer(server: ProcessServer): void {
  const { codes, untimely } = server;
  const ready = (token = 't', version = PROTOCOL_VERSION) => server.ready(token, version);
  let pair: SocketPair;
  beforeEach(async () => {
    pair = await socketPair();
  });
  afterEach(() => pair[Symbol.asyncDispose]());

  async function expectRefusal(serving: Promise<unknown>, code: ErrorCode = codes.violation): Promise<void> {
    await expect(serving).rejects.toMatchObject({ code });
    expect(pair.engine.destroyed).toBe(true);
  }

  async function attached(): Promise<{ served: ServedProcess; stream: SocketPair['peer'] }> {
    const serving = server.serve(pair.engine, OPTIONS);
    pair.peer.resume();
    pair.peer.write(encodeFrames([ready()]));
    return { served: await serving, stream: pair.peer };
  }

  describe(`${server.name} and a hostile process`, () => {
    it.each([
      ['garbage', randomBytes(4_096)],
      ['HTTP/1', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
      ['HTTP/2, as an older process speaks it', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    ])('closes on %s [FT36]', async (_name, bytes) => {
      const serving = server.serve(pair.engine, OPTIONS);
      pair.peer.write(bytes);
      await expectRefusal(serving);
    });

    it.each([
      ['an event before it is ready', [untimely]],
      ['an empty message', [new Uint8Array()]],
      ['a newer version [FT100]', [ready('t', PROTOCOL_VERSION + 1)]],
      ['an older version [FT100]', [ready('t', PROTOCOL_VERSION - 1)]],
      ['no version [FT100]', [ready('t', 0)]],
      ['another token', [ready('T')]],
      ['an empty token', [ready('')]],
      ['a longer token', [ready('tt')]],
      ['what is no message', [new Uint8Array([0xff, 0xff, 0xff])]],
    ])('closes on %s [P5] [FT36]', async (_name, messages) => {
      const serving = server.serve(pair.engine, OPTIONS);
      pair.peer.write(encodeFrames(messages));
      await expectRefusal(serving);
    });

    it('closes on an empty token though it expects one [P5]', async () => {
      const serving = server.serve(pair.engine, { ...OPTIONS, token: '' });
      pair.peer.write(encodeFrames([ready('')]));
      await expectRefusal(serving);
    });

    it.each([
      ['a message of 4 GiB', Buffer.from([0, 0xff, 0xff, 0xff, 0xff])],
      ['a message over the limit', headerOf(server.maxMessageBytes + 1)],
      ['a compressed message', Buffer.from([1, 0, 0, 0, 0])],
      ['a second ready', encodeFrames([ready()])],
      ['an unknown event', encodeFrames([new Uint8Array([0xfa, 0x3f, 0])])],
      ['an untimely event', encodeFrames([untimely])],
    ])('closes on %s after it was ready [FT36]', async (_name, bytes) => {
      const { served, stream } = await attached();
      stream.write(bytes);
      await expectRefusal(served.use());
      await served.closed;
    });

    it('closes on a message that ends half way', async () => {
      const { served, stream } = await attached();
      stream.end(encodeFrames([ready()]).subarray(0, 7));
      await expectRefusal(served.use());
    });

    it('waits for it no longer than it may', async () => {
      await expectRefusal(server.serve(pair.engine, { ...OPTIONS, timeoutMs: 50 }), codes.timeout);
    });

    it('waits no longer for a message that has begun', async () => {
      const serving = server.serve(pair.engine, { ...OPTIONS, timeoutMs: 50 });
      pair.peer.write(encodeFrames([ready()]).subarray(0, 7));
      await expectRefusal(serving, codes.timeout);
    });

    it.each<[string, (socket: SocketPair['peer']) => unknown]>([
      ['at once', (socket) => socket.destroy()],
      ['its half without a word', (socket) => socket.end()],
    ])('reports a process that ends %s', async (_name, end) => {
      const serving = server.serve(pair.engine, OPTIONS);
      end(pair.peer);
      await expectRefusal(serving, codes.gone);
    });
  });
}

function headerOf(length: number): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(length, 1);
  return header;
}
