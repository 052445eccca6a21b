import { Socket } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import {
  type AttachRequest,
  AttachRequestSchema,
  ModelRequestSchema,
  ResponseCompleteSchema,
  RunEnd,
  ToolCallProposedSchema,
} from '@bulkhead/protocol/agent';
import { AGENT_LIMITS, encodeFrames } from '@bulkhead/wire';
import { describeProcessServer, heldBack, type SocketPair, socketPair } from '@bulkhead/wire/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentConnection } from './connection/agent-connection.ts';
import { serveAgent } from './connection.ts';
import { processRequest } from './testing/messages.ts';
import { spawnAgent } from './testing/spawn-agent.ts';

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
  const $typeName = 'bulkhead.agent.v1.AgentReady' as const;
  const value = { $typeName, token, protocolVersion, pid: 1, probes: {} };
  return encode({ case: 'ready', value });
}

const asking = encode({ case: 'modelRequest', value: create(ModelRequestSchema, { requestId: 'run:1' }) });

async function attached(): Promise<{ connection: AgentConnection; stream: SocketPair['peer'] }> {
  const serving = serveAgent(pair.engine, options);
  pair.peer.write(encodeFrames([ready()]));
  return { connection: await serving, stream: pair.peer };
}

async function drain(connection: AgentConnection): Promise<number> {
  let count = 0;
  for await (const _ of connection.events) count += 1;
  return count;
}

describeProcessServer({
  name: 'serveAgent',
  maxMessageBytes: AGENT_LIMITS.toEngine,
  codes: { violation: 'protocol_violation', timeout: 'timeout', gone: 'agent_failed' },
  ready,
  untimely: asking,
  serve: async (duplex, accept) => {
    const connection = await serveAgent(duplex, { ...options, ...accept });
    return { closed: connection.closed, use: () => drain(connection) };
  },
});

describe('serveAgent and a hostile agent', () => {
  it('closes when the end of a run comes twice, or of a run it was not given', async () => {
    const complete = (runId: string) =>
      encode({
        case: 'complete',
        value: create(ResponseCompleteSchema, { runId, end: RunEnd.COMPLETED }),
      });
    const { connection, stream } = await attached();
    connection.send({ case: 'process', value: processRequest() });
    stream.write(encodeFrames([complete('run'), complete('run')]));
    await expect(drain(connection)).rejects.toThrow('a run it was not given');
  });

  it('stops an agent that floods while its events are not read, in bounded memory', async () => {
    const { connection, stream } = await attached();
    connection.send({ case: 'process', value: processRequest() });
    const flood = encodeFrames(Array.from({ length: 10_000 }, () => asking));
    let written = 0;
    while (stream.write(flood) || stream.writableLength < 4 * 1024 * 1024) written += flood.length;
    const before = pair.engine.bytesRead;
    const taken = await heldBack(pair.engine);
    expect(taken - before).toBeLessThan(2 * 1024 * 1024);
    expect(written).toBeGreaterThan(2 * 1024 * 1024);
    let seen = 0;
    for await (const event of connection.events) {
      seen += 1;
      if (event.case !== 'modelRequest' || seen === 50_000) break;
    }
    expect(seen).toBe(50_000);
    await connection.closed;
  });

  it('closes on an agent that does not read, before too much waits for it', async () => {
    const { connection, stream } = await attached();
    stream.pause();
    const text = 'x'.repeat(1024 * 1024);
    for (let sent = 0; sent < 100; sent += 1) {
      connection.send({ case: 'steer', value: { message: { text } } });
      await new Promise(setImmediate);
    }
    await connection.closed;
    await expect(drain(connection)).rejects.toThrow('does not read');
  });

  it('survives whatever bytes stand where a message should [FT36]', async () => {
    const mutated = fc
      .tuple(
        fc.constantFrom(asking, ready(), encode(toolCall())),
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
        const stream = fresh.peer;
        stream.resume();
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

function toolCall(): Extract<AttachRequest['event'], { case: 'toolCall' }> {
  const call = { callId: 'c', name: 'write', argumentsJson: '{"path":"a"}' };
  return { case: 'toolCall', value: create(ToolCallProposedSchema, { call }) };
}

/**
 * A program that is ready, then writes to its descriptor 3, and waits, ends its half, or writes the
 * same forever.
 */
function writing(bytes: Uint8Array, after: 'stay' | 'end' | 'repeat'): string {
  return `
    const socket = new (require('node:net').Socket)({ fd: 3 });
    const bytes = Buffer.from('${Buffer.from(bytes).toString('hex')}', 'hex');
    const ready = Buffer.from('${encodeFrames([ready()]).toString('hex')}', 'hex');
    socket.write(ready);
    const more = () => { while (socket.write(bytes)); socket.once('drain', more); };
    socket.once('data', () => {
      if ('${after}' === 'repeat') more();
      else socket.write(bytes, () => '${after}' === 'end' && socket.end());
    });
    setTimeout(() => {}, 600_000);`;
}

function header(length: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

describe('serveAgent and a real process that is hostile', () => {
  it.each<[string, Uint8Array, 'stay' | 'end' | 'repeat', RegExp]>([
    [
      'writes half a message and ends its half',
      encodeFrames([asking]).subarray(0, 8),
      'end',
      /ended inside a message/,
    ],
    ['announces a message over the limit', header(AGENT_LIMITS.toEngine + 1), 'stay', /over the limit/],
    [
      'says what no version knows [FT35]',
      encodeFrames([new Uint8Array([0xfa, 0x3f, 0])]),
      'stay',
      /does not know/,
    ],
    ['speaks outside a run', encodeFrames([asking]), 'stay', /outside a run/],
  ])('closes on one that %s [FT36]', async (_name, bytes, after, reason) => {
    await using agent = spawnAgent('-e', writing(bytes, after));
    const connection = await serveAgent(agent.duplex, { ...options, timeoutMs: 20_000 });
    await expect(drain(connection)).rejects.toThrow(reason);
    await connection.closed;
    expect(agent.duplex.destroyed).toBe(true);
  });

  it('holds back one that floods, in bounded memory, and reads the same from one that does not', async () => {
    await using agent = spawnAgent('-e', writing(encodeFrames([asking]), 'repeat'));
    const connection = await serveAgent(agent.duplex, { ...options, timeoutMs: 20_000 });
    connection.send({ case: 'process', value: processRequest() });
    const { duplex } = agent;
    if (!(duplex instanceof Socket)) throw new Error('fd 3 is no socket');
    const taken = await heldBack(duplex);
    expect(taken).toBeLessThan(2 * 1024 * 1024);
    let seen = 0;
    for await (const event of connection.events) {
      seen += 1;
      if (event.case !== 'modelRequest' || seen === 30_000) break;
    }
    expect(seen).toBe(30_000);
    await connection.closed;
  });
});
