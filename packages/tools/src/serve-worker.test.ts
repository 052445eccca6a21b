import { type Duplex, duplexPair } from 'node:stream';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { BulkheadError, PROTOCOL_VERSION, type ToolHostCall } from '@bulkhead/protocol';
import {
  type AttachRequest,
  AttachRequestSchema,
  type AttachResponse,
  WorkerService,
} from '@bulkhead/protocol/worker';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { describe, expect, it } from 'vitest';
import { Outbox } from './outbox.ts';
import { serveWorker } from './serve-worker.ts';

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

/** A worker that says what a test tells it to. */
function scriptedWorker(connection: Duplex) {
  const transport = createGrpcTransport({
    baseUrl: 'http://worker',
    nodeOptions: { createConnection: () => connection },
  });
  const outbox = new Outbox<AttachRequest>();
  const directives = createClient(WorkerService, transport).attach(outbox)[Symbol.asyncIterator]();
  return {
    send: (event: EventInit) =>
      outbox.push(create(AttachRequestSchema, event === undefined ? {} : { event })),
    next: async (): Promise<AttachResponse['directive'] | undefined> =>
      (await directives.next()).value?.directive,
  };
}

const READY: EventInit = {
  case: 'ready',
  value: { token: TOKEN, protocolVersion: PROTOCOL_VERSION, pid: 1 },
};

describe('a worker that breaks the protocol [FT36]', () => {
  it.each<[string, EventInit, string]>([
    [
      'begins without its token',
      { case: 'finished', value: { actionId: 'x' } },
      'did not begin with its token',
    ],
    ['begins with nothing', undefined, 'did not begin with its token'],
    ['shows an empty token', { case: 'ready', value: { token: '' } }, 'wrong token'],
    [
      'speaks another version',
      { case: 'ready', value: { token: TOKEN, protocolVersion: 99 } },
      'speaks protocol 99',
    ],
  ])('is refused when it %s', async (_name, event, reason) => {
    const [engine, end] = duplexPair();
    const worker = scriptedWorker(end);
    const serving = failure(serveWorker(engine, TOKEN, 2_000));
    worker.send(event);
    expect(await serving).toContain(reason);
    expect(engine.destroyed).toBe(true);
  });

  it('is refused when it is silent or speaks no gRPC', async () => {
    const [engine] = duplexPair();
    expect(await failure(serveWorker(engine, TOKEN, 50))).toContain('did not get ready in time');
    const [other, end] = duplexPair();
    end.on('error', () => undefined).resume();
    end.write('GET / HTTP/1.1\r\n\r\n'.repeat(10));
    expect(await failure(serveWorker(other, TOKEN, 2_000))).toMatch(/^worker_failed: /);
    expect(await failure(serveWorker(duplexPair()[0], '', 50))).toMatch(/^worker_failed: /);
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
