import { randomBytes } from 'node:crypto';
import { type ClientHttp2Stream, connect } from 'node:http2';
import type { Socket } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { type AttachRequest, AttachRequestSchema } from '@bulkhead/protocol/agent';
import { ClientService } from '@bulkhead/protocol/client';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentConnection } from './connection/agent-connection.ts';
import { serveAgent } from './connection.ts';
import { processRequest } from './testing/messages.ts';
import { FRAME, PREFACE, rawFrame, rawHeaders } from './testing/raw-http2.ts';
import { type SocketPair, socketPair } from './testing/socket-pair.ts';
import { encodeFrames } from './wire/frame.ts';
import { ATTACH_PATH } from './wire/wire-constants.ts';

const options = { token: 't', timeoutMs: 2_000, initialTools: {} };

let pair: SocketPair;
beforeEach(async () => {
  pair = await socketPair();
});
afterEach(() => pair[Symbol.asyncDispose]());

function encode(event: Exclude<AttachRequest['event'], { case: undefined }>): Uint8Array {
  return toBinary(AttachRequestSchema, create(AttachRequestSchema, { event }));
}

function ready(token = 't', protocolVersion = PROTOCOL_VERSION): Uint8Array {
  const value = { $typeName: 'bulkhead.agent.v1.AgentReady' as const, token, protocolVersion, pid: 1 };
  return encode({ case: 'ready', value });
}

const token = encode({ case: 'token', value: { $typeName: 'bulkhead.agent.v1.LlmTokenEmitted', text: 'x' } });

const HEADERS = {
  ':method': 'POST',
  ':path': ATTACH_PATH,
  'content-type': 'application/grpc+proto',
  te: 'trailers',
};

/** An agent that speaks HTTP/2 and then whatever the test wants. */
function openStream(socket: Socket, headers: Readonly<Record<string, string>> = {}): ClientHttp2Stream {
  const session = connect('http://engine', { createConnection: () => socket });
  session.on('error', () => undefined);
  const stream = session.request({ ...HEADERS, ...headers });
  stream.on('error', () => undefined);
  stream.resume();
  return stream;
}

async function attached(): Promise<{ connection: AgentConnection; stream: ClientHttp2Stream }> {
  const serving = serveAgent(pair.engine, options);
  const stream = openStream(pair.agent);
  stream.write(encodeFrames([ready()]));
  return { connection: await serving, stream };
}

async function drain(connection: AgentConnection): Promise<number> {
  let count = 0;
  for await (const _ of connection.events) count += 1;
  return count;
}

describe('serveAgent and a hostile agent', () => {
  it.each([
    ['garbage', randomBytes(4_096)],
    ['HTTP/1', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    [
      'a preface and garbage',
      Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), randomBytes(4_096)]),
    ],
    [
      'a giant HTTP/2 frame',
      Buffer.concat([
        Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
        Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]),
        Buffer.alloc(1 << 16),
      ]),
    ],
  ])('closes on %s [FT36]', async (_name, bytes) => {
    const serving = serveAgent(pair.engine, options);
    pair.agent.write(bytes);
    await expect(serving).rejects.toMatchObject({ code: 'protocol_violation' });
    expect(pair.engine.destroyed).toBe(true);
  });

  it.each([
    ['an event before it is ready', [token]],
    ['an empty message', [new Uint8Array()]],
    ['another version', [ready('t', PROTOCOL_VERSION + 1)]],
    ['another token', [ready('T')]],
    ['an empty token', [ready('')]],
    ['a longer token', [ready('tt')]],
    ['what is no message', [new Uint8Array([0xff, 0xff, 0xff])]],
  ])('closes on %s [P5] [FT36]', async (_name, messages) => {
    const serving = serveAgent(pair.engine, options);
    openStream(pair.agent).write(encodeFrames(messages));
    await expect(serving).rejects.toMatchObject({ code: 'protocol_violation' });
    expect(pair.engine.destroyed).toBe(true);
  });

  it.each([
    ['a message of 4 GiB', Buffer.from([0, 0xff, 0xff, 0xff, 0xff])],
    ['a message over the limit', Buffer.from([0, 1, 0, 0, 1])],
    ['a compressed message', Buffer.from([1, 0, 0, 0, 0])],
    ['a second ready', encodeFrames([ready()])],
    ['an unknown event', encodeFrames([new Uint8Array([0xfa, 0x3f, 0])])],
    ['an event outside a run', encodeFrames([token])],
  ])('closes on %s after it was ready [FT36]', async (_name, bytes) => {
    const { connection, stream } = await attached();
    stream.write(bytes);
    await expect(drain(connection)).rejects.toMatchObject({ code: 'protocol_violation' });
    await connection.closed;
    expect(pair.engine.destroyed).toBe(true);
  });

  it('closes when the end of a run comes twice, or of a run it was not given', async () => {
    const complete = (runId: string) =>
      encode({
        case: 'complete',
        value: { $typeName: 'bulkhead.agent.v1.ResponseComplete', runId, content: '', thoughts: [], end: 1 },
      });
    const { connection, stream } = await attached();
    connection.send({ case: 'process', value: processRequest() });
    stream.write(encodeFrames([complete('run'), complete('run')]));
    await expect(drain(connection)).rejects.toThrow('a run it was not given');
  });

  it('closes on a second stream', async () => {
    const serving = serveAgent(pair.engine, options);
    const fields = { ':scheme': 'http', ':authority': 'engine', ...HEADERS };
    const none = Buffer.alloc(0);
    pair.agent.resume();
    pair.agent.write(
      Buffer.concat([
        PREFACE,
        rawFrame(FRAME.settings, 0, 0, none),
        rawFrame(FRAME.settings, 1, 0, none),
        rawHeaders(1, fields),
        rawFrame(FRAME.data, 0, 1, encodeFrames([ready()])),
      ]),
    );
    const connection = await serving;
    pair.agent.write(rawHeaders(3, fields));
    await expect(drain(connection)).rejects.toMatchObject({ code: 'protocol_violation' });
    expect(pair.engine.destroyed).toBe(true);
  });

  it.each([
    ...ClientService.methods.map((method) => `/${ClientService.typeName}/${method.name}`),
    '/',
    `${ATTACH_PATH}2`,
    `${ATTACH_PATH}?session=other`,
    '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  ])('refuses a call of %s and closes [FT35]', async (path) => {
    const serving = serveAgent(pair.engine, options);
    openStream(pair.agent, { ':path': path }).end(encodeFrames([ready()]));
    await expect(serving).rejects.toMatchObject({ code: 'protocol_violation' });
    expect(pair.engine.destroyed).toBe(true);
  });

  it('holds back an agent that floods while nobody reads, in bounded memory', async () => {
    const { connection, stream } = await attached();
    connection.send({ case: 'process', value: processRequest() });
    const flood = encodeFrames(Array.from({ length: 10_000 }, () => token));
    let written = 0;
    while (stream.write(flood) || stream.writableLength < 4 * 1024 * 1024) written += flood.length;
    const before = pair.engine.bytesRead;
    await new Promise((resolve) => setTimeout(resolve, 100));
    const taken = pair.engine.bytesRead;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pair.engine.bytesRead).toBe(taken);
    expect(taken - before).toBeLessThan(2 * 1024 * 1024);
    expect(written).toBeGreaterThan(2 * 1024 * 1024);
    let seen = 0;
    for await (const event of connection.events) {
      seen += 1;
      if (event.case !== 'token' || seen === 50_000) break;
    }
    expect(seen).toBe(50_000);
    await connection.closed;
  });

  it('closes on an agent that does not read, before too much waits for it', async () => {
    const { connection, stream } = await attached();
    stream.pause();
    const text = 'x'.repeat(1024 * 1024);
    for (let sent = 0; sent < 100; sent += 1) {
      connection.sendModelDelta(`r${sent}`, 'text', text);
      await new Promise(setImmediate);
    }
    await connection.closed;
    await expect(drain(connection)).rejects.toThrow('does not read');
  });

  it('survives whatever bytes stand where a message should [FT36]', async () => {
    const mutated = fc
      .tuple(
        fc.constantFrom(token, ready(), encode(modelRequest())),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
      )
      .map(([message, changes]) => {
        const bytes = Uint8Array.from(message);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return bytes;
      });
    await fc.assert(
      fc.asyncProperty(fc.array(mutated, { minLength: 1, maxLength: 50 }), async (messages) => {
        await using fresh = await socketPair();
        const serving = serveAgent(fresh.engine, options);
        const stream = openStream(fresh.agent);
        stream.write(encodeFrames([ready()]));
        const connection = await serving;
        connection.send({ case: 'process', value: processRequest() });
        stream.end(encodeFrames(messages));
        const outcome = await drain(connection).catch((error: { code?: string }) => error.code);
        expect(outcome === messages.length || outcome === 'protocol_violation').toBe(true);
        await connection.closed;
      }),
      { numRuns: 150 },
    );
  });
});

function modelRequest(): Extract<AttachRequest['event'], { case: 'modelRequest' }> {
  const { run, tools } = processRequest();
  const value = {
    $typeName: 'bulkhead.agent.v1.ModelRequest' as const,
    requestId: 'run:1',
    system: 's',
    messages: run,
    tools,
    forbidTools: false,
    maxOutputTokens: 1,
  };
  return { case: 'modelRequest', value };
}
