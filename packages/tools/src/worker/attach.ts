import type { Duplex } from 'node:stream';
import { create } from '@bufbuild/protobuf';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { type AttachRequest, AttachRequestSchema, WorkerService } from '@bulkhead/protocol/worker';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import type { BoundTool, WorkerContext } from '../executors/worker-tool.ts';
import { Outbox } from '../outbox.ts';
import { MAX_MESSAGE_BYTES } from '../wire-limits.ts';
import { runDirectives } from './run-directives.ts';

/** Serves one engine over one stream and resolves when the engine ends it. No other connection is ever made. */
export async function attach(
  stream: Duplex,
  token: string,
  tools: readonly BoundTool[],
  context: WorkerContext,
): Promise<void> {
  const transport = createGrpcTransport({
    baseUrl: 'http://worker',
    acceptCompression: [],
    readMaxBytes: MAX_MESSAGE_BYTES,
    writeMaxBytes: MAX_MESSAGE_BYTES,
    nodeOptions: { createConnection: () => stream },
  });
  const outbox = new Outbox<AttachRequest>();
  const value = { token, protocolVersion: PROTOCOL_VERSION, pid: process.pid };
  outbox.push(create(AttachRequestSchema, { event: { case: 'ready', value } }));
  const directives = createClient(WorkerService, transport).attach(outbox);
  await runDirectives(directives, tools, context, (event) => outbox.push(event));
  outbox.close();
}
