import { createServer } from 'node:http2';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { AttachResponseSchema as AgentDirectiveSchema, AgentService } from '@bulkhead/protocol/agent';
import { AttachResponseSchema as WorkerDirectiveSchema, WorkerService } from '@bulkhead/protocol/worker';
import { createClient } from '@connectrpc/connect';
import { connectNodeAdapter, createGrpcTransport } from '@connectrpc/connect-node';
import { describe, expect, it } from 'vitest';
import { acceptProcess } from './accept-process.ts';
import { attachToEngine } from './attach-to-engine.ts';
import { type SocketPair, socketPair } from './testing/socket-pair.ts';
import { agent, agentReady, worker, workerReady } from './testing/wires.ts';

const options = { token: 't', timeoutMs: 5_000 };
const READY = { event: { case: 'ready' as const, value: { token: 't', protocolVersion: PROTOCOL_VERSION } } };
const LONG = 'x'.repeat(200_000);

function transportOver(pair: SocketPair) {
  return createGrpcTransport({
    baseUrl: 'http://engine',
    nodeOptions: { createConnection: () => pair.peer },
  });
}

/** `first`, and nothing more until `done` resolves. */
async function* firstOf<Message>(first: readonly Message[], done: Promise<void>): AsyncGenerator<Message> {
  yield* first;
  await done;
}

/** The wire is plain gRPC: either end may be replaced by a general implementation of it. */
describe('the wire speaks gRPC', () => {
  it('with a general client in the place of the agent [P3]', async () => {
    await using pair = await socketPair();
    const accepting = acceptProcess(pair.engine, agent, options);
    const done = Promise.withResolvers<void>();
    const token = { event: { case: 'modelRequest' as const, value: { requestId: LONG } } };
    const seen: unknown[] = [];
    const reading = (async () => {
      const client = createClient(AgentService, transportOver(pair));
      for await (const { directive } of client.attach(firstOf([READY, token], done.promise))) {
        seen.push(directive.case);
        if (directive.case === 'shutdown') done.resolve();
      }
    })();
    const accepted = await accepting;
    const told: NonNullable<MessageInitShape<typeof AgentDirectiveSchema>['directive']>[] = [
      { case: 'initialTools', value: { groups: [{ name: LONG }] } },
      { case: 'shutdown', value: {} },
    ];
    for (const directive of told) {
      accepted.outbox.push(toBinary(AgentDirectiveSchema, create(AgentDirectiveSchema, { directive })));
    }
    const events: unknown[] = [];
    for await (const { event } of accepted.events) events.push(event.value);
    await reading.catch(() => undefined);
    expect(events).toMatchObject([{ requestId: LONG }]);
    expect(seen).toEqual(['initialTools', 'shutdown']);
  });

  it('with a general client in the place of the worker', async () => {
    await using pair = await socketPair();
    const accepting = acceptProcess(pair.engine, worker, options);
    const done = Promise.withResolvers<void>();
    const client = createClient(WorkerService, transportOver(pair));
    const reading = (async () => {
      const seen: unknown[] = [];
      for await (const { directive } of client.attach(firstOf([READY], done.promise))) {
        seen.push(directive.case);
        done.resolve();
      }
      return seen;
    })();
    const accepted = await accepting;
    const directive = { case: 'run' as const, value: { actionId: 'a', tool: 'ls', argumentsJson: LONG } };
    accepted.outbox.push(toBinary(WorkerDirectiveSchema, create(WorkerDirectiveSchema, { directive })));
    accepted.outbox.end();
    expect(await reading).toEqual(['run']);
    for await (const _ of accepted.events) expect.unreachable();
  });

  it('with a general server in the place of the engine [P3]', async () => {
    await using pair = await socketPair();
    const seen: unknown[] = [];
    const adapter = connectNodeAdapter({
      routes: (router) => {
        router.service(AgentService, {
          async *attach(events): AsyncGenerator<MessageInitShape<typeof AgentDirectiveSchema>> {
            for await (const { event } of events) {
              seen.push(event.case);
              yield { directive: { case: 'steer', value: { messageId: LONG } } };
              yield { directive: { case: 'shutdown', value: {} } };
              return;
            }
          },
        });
        router.service(WorkerService, {
          async *attach(events): AsyncGenerator<MessageInitShape<typeof WorkerDirectiveSchema>> {
            for await (const { event } of events) {
              seen.push(event.case);
              yield { directive: { case: 'shutdown', value: {} } };
              return;
            }
          },
        });
      },
    });
    const directives: unknown[] = [];
    const toAgent = attachToEngine(serverBehind(pair, adapter), agent);
    toAgent.outbox.push(agentReady('t', PROTOCOL_VERSION));
    for await (const { directive } of toAgent.directives) directives.push(directive.case);
    await using other = await socketPair();
    const toWorker = attachToEngine(serverBehind(other, adapter), worker);
    toWorker.outbox.push(workerReady('t', PROTOCOL_VERSION));
    for await (const { directive } of toWorker.directives) directives.push(directive.case);
    expect(seen).toEqual(['ready', 'ready']);
    expect(directives).toEqual(['steer', 'shutdown', 'shutdown']);
  });
});

function serverBehind(pair: SocketPair, adapter: ReturnType<typeof connectNodeAdapter>): SocketPair['peer'] {
  createServer(adapter).emit('connection', pair.engine);
  return pair.peer;
}
