import type { ClientHttp2Stream } from 'node:http2';
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
import {
  describeProcessServer,
  grpcHeaders,
  openRawStream,
  type SocketPair,
  socketPair,
} from '@bulkhead/wire/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentConnection } from './connection/agent-connection.ts';
import { serveAgent } from './connection.ts';
import { processRequest } from './testing/messages.ts';

const ATTACH_PATH = '/bulkhead.agent.v1.AgentService/Attach';
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

async function attached(): Promise<{ connection: AgentConnection; stream: ClientHttp2Stream }> {
  const serving = serveAgent(pair.engine, options);
  const stream = openRawStream(pair.peer, grpcHeaders(ATTACH_PATH));
  stream.write(encodeFrames([ready()]));
  return { connection: await serving, stream };
}

async function drain(connection: AgentConnection): Promise<number> {
  let count = 0;
  for await (const _ of connection.events) count += 1;
  return count;
}

describeProcessServer({
  name: 'serveAgent',
  path: ATTACH_PATH,
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

  it('holds back an agent that floods while nobody reads, in bounded memory', async () => {
    const { connection, stream } = await attached();
    connection.send({ case: 'process', value: processRequest() });
    const flood = encodeFrames(Array.from({ length: 10_000 }, () => asking));
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
        const stream = openRawStream(fresh.peer, grpcHeaders(ATTACH_PATH));
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
