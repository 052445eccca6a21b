import { type Duplex, duplexPair } from 'node:stream';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BulkheadError, PROTOCOL_VERSION, type ToolHostCall } from '@bulkhead/protocol';
import { AttachRequestSchema, type AttachResponse } from '@bulkhead/protocol/worker';
import { attachToEngine, WORKER_LIMITS } from '@bulkhead/wire';
import { describeProcessServer } from '@bulkhead/wire/testing';
import { describe, expect, it } from 'vitest';
import { serveWorker } from './serve-worker.ts';
import { workerWire } from './worker-wire.ts';

const TOKEN = 'a-fresh-token';
const quiet = () => undefined;
const never = () => new AbortController().signal;

function call(actionId: string): ToolHostCall {
  return { actionId, sessionId: 's', tool: 'ls', canonicalArguments: '{}', workingFolder: '/' };
}

async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (BulkheadError.is(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

type EventInit = MessageInitShape<typeof AttachRequestSchema>['event'];

function encode(event: EventInit): Uint8Array {
  return toBinary(AttachRequestSchema, create(AttachRequestSchema, event === undefined ? {} : { event }));
}

/** A worker that says what a test tells it to. */
function scriptedWorker(connection: Duplex) {
  const { directives, outbox } = attachToEngine(connection, workerWire);
  return {
    send: (event: EventInit) => outbox.push(encode(event)),
    next: async (): Promise<AttachResponse['directive'] | undefined> =>
      (await directives.next()).value?.directive,
  };
}

const READY: EventInit = {
  case: 'ready',
  value: { token: TOKEN, protocolVersion: PROTOCOL_VERSION, pid: 1 },
};

describeProcessServer({
  name: 'serveWorker',
  path: '/bulkhead.worker.v1.WorkerService/Attach',
  maxMessageBytes: WORKER_LIMITS.toEngine,
  codes: { violation: 'worker_failed', timeout: 'worker_failed', gone: 'worker_failed' },
  ready: (token, protocolVersion) => encode({ case: 'ready', value: { token, protocolVersion, pid: 1 } }),
  untimely: encode({ case: 'finished', value: { actionId: 'unknown' } }),
  serve: async (duplex, { token, timeoutMs }) => {
    const connection = await serveWorker(duplex, token, timeoutMs);
    return { closed: connection.closed, use: () => connection.run(call('one'), quiet, never()) };
  },
});

describe('a worker that breaks the protocol [FT36]', () => {
  it.each<[string, EventInit, string]>([
    [
      'begins without its token',
      { case: 'finished', value: { actionId: 'x' } },
      'spoke before it said that it is ready',
    ],
    ['begins with nothing', undefined, 'spoke before it said that it is ready'],
    ['shows an empty token', { case: 'ready', value: { token: '' } }, 'has the token of another'],
    [
      'speaks another version',
      { case: 'ready', value: { token: TOKEN, protocolVersion: 99 } },
      `speaks protocol version 99, the engine ${PROTOCOL_VERSION}`,
    ],
  ])('is refused when it %s', async (_name, event, reason) => {
    const [engine, end] = duplexPair();
    const worker = scriptedWorker(end);
    const serving = failure(serveWorker(engine, TOKEN, 2_000));
    worker.send(event);
    expect(await serving).toBe(`worker_failed: the worker ${reason}`);
    expect(engine.destroyed).toBe(true);
  });

  it('is refused when it is silent', async () => {
    const [engine] = duplexPair();
    expect(await failure(serveWorker(engine, TOKEN, 50))).toBe(
      'worker_failed: the worker was not ready within 0.05 s',
    );
  });

  it.each<[string, EventInit]>([
    ['answers no open call', { case: 'finished', value: { actionId: 'unknown' } }],
    ['reports on no open call', { case: 'progress', value: { actionId: 'unknown', text: 'x' } }],
    ['gets ready twice', READY],
    ['sends an empty message', undefined],
  ])('loses its calls when it %s', async (_name, event) => {
    const [engine, end] = duplexPair();
    const worker = scriptedWorker(end);
    worker.send(READY);
    const connection = await serveWorker(engine, TOKEN, 2_000);
    const open = failure(connection.run(call('one'), quiet, never()));
    expect(await worker.next()).toMatchObject({ case: 'run' });
    worker.send(event);
    expect(await open).toMatch(/^worker_failed: .*the worker sent/);
    await connection.closed;
  });

  it('loses its calls when it answers one twice', async () => {
    const [engine, end] = duplexPair();
    const worker = scriptedWorker(end);
    worker.send(READY);
    const connection = await serveWorker(engine, TOKEN, 2_000);
    const [first, second] = [call('one'), call('two')];
    const updates: string[] = [];
    const done = connection.run(first, (text) => updates.push(text), never());
    const open = failure(connection.run(second, quiet, never()));
    worker.send({ case: 'progress', value: { actionId: first.actionId, text: 'half' } });
    worker.send({ case: 'finished', value: { actionId: first.actionId, text: 'whole', terminate: true } });
    expect(await done).toEqual({ text: 'whole', isError: false, terminate: true });
    expect(updates).toEqual(['half']);
    expect(await failure(connection.run(second, quiet, never()))).toMatch(/^internal: .*runs already/);
    worker.send({ case: 'finished', value: { actionId: first.actionId, text: 'again' } });
    expect(await open).toMatch(/^worker_failed: /);
  });
});

describe('a call larger than a worker accepts', () => {
  it('is answered with an error, and others go on', async () => {
    const [engine, end] = duplexPair();
    const worker = scriptedWorker(end);
    worker.send(READY);
    const connection = await serveWorker(engine, TOKEN, { readyMs: 2_000, graceMs: 100 });
    const canonicalArguments = 'x'.repeat(WORKER_LIMITS.fromEngine);
    expect(await connection.run({ ...call('big'), canonicalArguments }, quiet, never())).toEqual({
      text: 'the arguments are larger than a worker accepts',
      isError: true,
    });
    const next = connection.run(call('big'), quiet, never());
    expect(await worker.next()).toMatchObject({ case: 'run', value: { actionId: 'big' } });
    worker.send({ case: 'finished', value: { actionId: 'big', text: 'done' } });
    expect(await next).toMatchObject({ text: 'done' });
    await connection.close();
  });
});
