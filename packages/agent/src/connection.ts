import type { Duplex } from 'node:stream';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { BulkheadError, PROTOCOL_VERSION } from '@bulkhead/protocol';
import {
  type AttachRequest,
  AttachRequestSchema,
  type InitialToolDefsSchema,
} from '@bulkhead/protocol/agent';
import { AgentConnection } from './connection/agent-connection.ts';
import { AttachStream } from './connection/attach-stream.ts';
import { sameToken } from './connection/same-token.ts';
import { readMessages } from './wire/read-messages.ts';
import { MAX_MESSAGE_BYTES } from './wire/wire-constants.ts';

export interface ServeAgentOptions {
  /** The token this very agent was started with. */
  readonly token: string;
  /** How long the agent may take until it is ready, in milliseconds. */
  readonly timeoutMs: number;
  /** Sent as soon as the agent is ready [P4]. */
  readonly initialTools: MessageInitShape<typeof InitialToolDefsSchema>;
  /** Largest message accepted from the agent, in bytes; 16 MiB if not given. */
  readonly maxMessageBytes?: number;
}

/**
 * Speaks with a freshly started agent until it is ready: gRPC over one inherited socket pair [P3, P5].
 *
 * @param duplex the engine's end; it is owned from here on, and destroyed if this fails
 * @throws BulkheadError `protocol_violation` if the agent has another token or version or breaks the protocol,
 *   `timeout` if it isn't ready in time, `agent_failed` if it ends before
 */
export async function serveAgent(duplex: Duplex, options: ServeAgentOptions): Promise<AgentConnection> {
  const attach = new AttachStream(duplex);
  const timer = setTimeout(() => {
    const seconds = options.timeoutMs / 1_000;
    attach.destroy(new BulkheadError('timeout', `the agent was not ready within ${seconds} s`));
  }, options.timeoutMs);
  try {
    const stream = await attach.opened;
    const messages = readMessages(stream, AttachRequestSchema, options.maxMessageBytes ?? MAX_MESSAGE_BYTES);
    checkReady(await firstMessage(messages, attach), options.token);
    const connection = new AgentConnection(attach, stream, messages);
    connection.send({ case: 'initialTools', value: options.initialTools });
    return connection;
  } catch (error) {
    attach.destroy(BulkheadError.from(error));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function firstMessage(
  messages: AsyncGenerator<AttachRequest>,
  attach: AttachStream,
): Promise<AttachRequest> {
  try {
    const first = await messages.next();
    if (first.done !== true) return first.value;
  } catch (error) {
    if (BulkheadError.is(error)) throw error;
  }
  attach.destroy();
  // The stream ends before its session says why.
  await attach.closed;
  throw attach.failure ?? new BulkheadError('agent_failed', 'the agent ended before it was ready');
}

function checkReady({ event }: AttachRequest, token: string): void {
  if (event.case !== 'ready') {
    throw new BulkheadError('protocol_violation', 'the agent spoke before it said that it is ready');
  }
  if (!sameToken(event.value.token, token)) {
    throw new BulkheadError('protocol_violation', 'the agent has the token of another');
  }
  if (event.value.protocolVersion !== PROTOCOL_VERSION) {
    throw new BulkheadError(
      'protocol_violation',
      `the agent speaks protocol version ${event.value.protocolVersion}, the engine ${PROTOCOL_VERSION}`,
      { fix: 'Build both from the same sources' },
    );
  }
}
