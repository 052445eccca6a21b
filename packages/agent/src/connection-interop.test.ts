import { createServer } from 'node:http2';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { AgentService, type AttachResponseSchema } from '@bulkhead/protocol/agent';
import { createClient } from '@connectrpc/connect';
import { connectNodeAdapter, createGrpcTransport } from '@connectrpc/connect-node';
import { describe, expect, it } from 'vitest';
import { serveAgent } from './connection.ts';
import { runAgent } from './process/run-agent.ts';
import { socketPair } from './testing/socket-pair.ts';

/** The wire is plain gRPC: either end may be replaced by a general implementation of it. */
describe('the connection speaks gRPC', () => {
  it('with a general client in the place of the agent [P3]', async () => {
    await using pair = await socketPair();
    const serving = serveAgent(pair.engine, {
      token: 't',
      timeoutMs: 5_000,
      initialTools: { groups: [{ name: 'g' }] },
    });
    const transport = createGrpcTransport({
      baseUrl: 'http://engine',
      nodeOptions: { createConnection: () => pair.agent },
    });
    const done = Promise.withResolvers<void>();
    const events = async function* () {
      yield { event: { case: 'ready' as const, value: { token: 't', protocolVersion: PROTOCOL_VERSION } } };
      await done.promise;
    };
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const { directive } of createClient(AgentService, transport).attach(events())) {
        seen.push(directive.case);
        if (directive.case === 'shutdown') done.resolve();
      }
    })();
    const connection = await serving;
    connection.send({ case: 'shutdown', value: {} });
    for await (const _ of connection.events) expect.unreachable();
    await connection.close();
    await reading.catch(() => undefined);
    expect(seen).toEqual(['initialTools', 'shutdown']);
  });

  it('with a general server in the place of the engine [P3] [P4]', async () => {
    await using pair = await socketPair();
    const seen: unknown[] = [];
    const adapter = connectNodeAdapter({
      routes: (router) =>
        router.service(AgentService, {
          async *attach(events): AsyncGenerator<MessageInitShape<typeof AttachResponseSchema>> {
            for await (const { event } of events) {
              seen.push(event.case);
              if (event.case === 'ready') {
                yield { directive: { case: 'initialTools', value: {} } };
                yield { directive: { case: 'steer', value: { text: 'x' } } };
              }
              if (event.case === 'error') yield { directive: { case: 'shutdown', value: {} } };
            }
          },
        }),
    });
    const server = createServer(adapter);
    server.emit('connection', pair.engine);
    await runAgent(pair.agent, { token: 't', initialToolsTimeoutMs: 5_000 }, 1);
    expect(seen).toEqual(['ready', 'error']);
  });
});
