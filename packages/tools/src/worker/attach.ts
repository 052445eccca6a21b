import type { Duplex } from 'node:stream';
import { create, toBinary } from '@bufbuild/protobuf';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { AttachRequestSchema } from '@bulkhead/protocol/worker';
import { attachToEngine, type Ready } from '@bulkhead/wire';
import type { BoundTool, WorkerContext } from '../definitions/worker-tool.ts';
import { workerWire } from '../worker-wire.ts';
import type { Questions } from './questions.ts';
import { runDirectives } from './run-directives.ts';
import type { SendEvent } from './send-event.ts';

/**
 * Serves one engine over one stream, until it sends a shutdown or is gone. Makes no other
 * connection.
 *
 * @param ready the message to show first; its pid is for the engine's log
 * @throws BulkheadError `protocol_violation` for an unreadable message of the engine
 */
export async function attach(
  stream: Duplex,
  ready: Omit<Ready, 'protocolVersion'>,
  tools: readonly BoundTool[],
  context: WorkerContext,
  questions: Questions,
): Promise<void> {
  const { directives, outbox } = attachToEngine(stream, workerWire);
  const send: SendEvent = (event) =>
    outbox.push(toBinary(AttachRequestSchema, create(AttachRequestSchema, { event })));
  send({ case: 'ready', value: { ...ready, protocolVersion: PROTOCOL_VERSION } });
  questions.connect(send);
  await runDirectives(directives, tools, context, send, questions);
}
