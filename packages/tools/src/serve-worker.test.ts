import { type Duplex, duplexPair } from 'node:stream';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BulkheadError, PROTOCOL_VERSION } from '@bulkhead/protocol';
import { AttachRequestSchema, type AttachResponse } from '@bulkhead/protocol/worker';
import { attachToEngine, WORKER_LIMITS } from '@bulkhead/wire';
import { describeProcessServer } from '@bulkhead/wire/testing';
import { describe, expect, it } from 'vitest';
import { serveWorker } from './serve-worker.ts';
import type { WorkerCall } from './worker-connection.ts';
import { workerWire } from './worker-wire.ts';

const TOKEN = 'a-fresh-token';
const quiet = () => undefined;
const never = () => new AbortController().signal;

function call(actionId: string): WorkerCall {
  return { actionId, tool: 'ls', canonicalArguments: '{}' };
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

/** A worker that sends the messages a test chooses. */
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
    const serving = failure(serveWorker(engine, TOKEN, 60_000));
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
    const connection = await serveWorker(engine, TOKEN, 60_000);
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
    const connection = await serveWorker(engine, TOKEN, 60_000);
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

describe('plans and inspections', () => {
  async function served(graceMs = 2_000) {
    const [engine, end] = duplexPair();
    const worker = scriptedWorker(end);
    worker.send(READY);
    const connection = await serveWorker(engine, TOKEN, { readyMs: 2_000, graceMs });
    return { worker, connection };
  }
  const HASH = 'ab'.repeat(32);

  it('are asked for and read: no hash means no file, unknown means unknown [A5] [T8]', async () => {
    const { worker, connection } = await served();
    const planned = connection.plan(call('one'), never());
    expect(await worker.next()).toMatchObject({ case: 'run', value: { actionId: 'one', plan: true } });
    const change = { path: 'a', before: '', after: HASH };
    worker.send({ case: 'finished', value: { actionId: 'one', text: 'would', changes: [change] } });
    expect(await planned).toEqual({
      text: 'would',
      isError: false,
      changes: [{ path: 'a', before: null, after: HASH }],
    });
    const inspected = connection.inspect('action', ['a', 'b', 'c'], never());
    const asked = await worker.next();
    expect(asked).toMatchObject({ case: 'inspect', value: { paths: ['a', 'b', 'c'] } });
    const states = [{ path: 'a', hash: HASH }, { path: 'b' }, { path: 'c', unknown: true }];
    const requestId = asked?.case === 'inspect' ? asked.value.requestId : '';
    worker.send({ case: 'inspected', value: { requestId, states } });
    expect(await inspected).toEqual([
      { path: 'a', hash: HASH },
      { path: 'b', hash: null },
      { path: 'c', hash: undefined },
    ]);
    await connection.close();
  });

  it('are cancelled under their id, and a worker that does not answer that is given up', async () => {
    const { worker, connection } = await served(100);
    const cancel = new AbortController();
    const looked = failure(connection.inspect('action', ['a'], cancel.signal));
    const asked = await worker.next();
    const requestId = asked?.case === 'inspect' ? asked.value.requestId : '';
    cancel.abort();
    expect(await worker.next()).toMatchObject({ case: 'cancel', value: { actionId: requestId } });
    worker.send({ case: 'inspected', value: { requestId, states: [{ path: 'a', unknown: true }] } });
    expect(await looked).toBe('cancelled: cancelled');
    expect(await failure(connection.inspect('action', ['a'], cancel.signal))).toBe('cancelled: cancelled');
    const gone = AbortSignal.abort();
    expect(await connection.plan(call('x'), gone)).toEqual({ text: 'cancelled', isError: true, changes: [] });
    const second = new AbortController();
    const planned = failure(connection.plan(call('one'), second.signal));
    second.abort();
    expect(await planned).toBe('worker_failed: the worker did not answer a cancellation');
    expect(await failure(connection.inspect('action', ['a'], never()))).toMatch(/^worker_failed: /);
  });

  it('are not sent if they are too much', async () => {
    const { connection } = await served();
    const paths = Array.from({ length: 65 }, (_, at) => `${at}`);
    expect(await failure(connection.inspect('action', paths, never()))).toMatch(/^internal: /);
    const canonicalArguments = 'x'.repeat(WORKER_LIMITS.fromEngine);
    expect(await connection.plan({ ...call('big'), canonicalArguments }, never())).toMatchObject({
      isError: true,
      changes: [],
    });
    await connection.close();
  });

  const state = (path: string, more: object = {}) => ({ path, hash: HASH, ...more });
  const change = (more: object = {}) => ({ path: 'a', before: HASH, after: HASH, ...more });
  const inspected = (states: object[], requestId = 'inspection-1'): EventInit => ({
    case: 'inspected',
    value: { requestId, states },
  });
  const finished = (actionId: string, changes: object[] = []): EventInit => ({
    case: 'finished',
    value: { actionId, text: 'x', changes },
  });

  it.each<[string, EventInit]>([
    ['answers a run with changes', finished('run', [change()])],
    ['answers a run with states', inspected([], 'run')],
    ['reports on a plan', { case: 'progress', value: { actionId: 'plan', text: 'x' } }],
    ['answers a plan with states', inspected([], 'plan')],
    ['answers a plan with half a hash', finished('plan', [change({ after: 'ab' })])],
    ['answers a plan with another hash', finished('plan', [change({ before: HASH.toUpperCase() })])],
    ['answers an inspection nobody asked for', inspected([state('a')], 'inspection-2')],
    ['answers an inspection with a result', finished('inspection-1')],
    ['reports on an inspection', { case: 'progress', value: { actionId: 'inspection-1', text: 'x' } }],
    ['leaves out a path', inspected([state('a')])],
    ['adds a path', inspected([state('a'), state('b'), state('c')])],
    ['takes another path', inspected([state('a'), state('c')])],
    ['changes their order', inspected([state('b'), state('a')])],
    ['knows what it does not know', inspected([state('a'), state('b', { unknown: true })])],
    ['makes up a hash', inspected([state('a'), state('b', { hash: '0' })])],
  ])('of a worker that %s are lost with it, and all else [FT36]', async (_name, event) => {
    const { worker, connection } = await served();
    const open = [
      failure(connection.run(call('run'), quiet, never())),
      failure(connection.plan(call('plan'), never())),
      failure(connection.inspect('action', ['a', 'b'], never())),
    ];
    for (let sent = 0; sent < open.length; sent += 1) await worker.next();
    worker.send(event);
    for (const outcome of await Promise.all(open))
      expect(outcome).toMatch(/^worker_failed: .*the worker sent/);
    await connection.closed;
  });

  it.each<[string, (events: EventInit[]) => EventInit]>([
    ['plan', ([plan]) => plan],
    ['inspection', ([, inspection]) => inspection],
  ])('loses its calls when it answers one twice: %s', async (_name, pick) => {
    const { worker, connection } = await served();
    const planned = connection.plan(call('plan'), never());
    const looked = connection.inspect('action', ['a'], never());
    const open = failure(connection.run(call('run'), quiet, never()));
    const answers = [finished('plan', [change()]), inspected([state('a')])];
    for (const event of answers) worker.send(event);
    await Promise.all([planned, looked]);
    worker.send(pick(answers));
    expect(await open).toMatch(/^worker_failed: .*no open call/);
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
