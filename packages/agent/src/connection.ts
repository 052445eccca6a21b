import type { Duplex } from 'node:stream';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { InitialToolDefsSchema } from '@bulkhead/protocol/agent';
import { type AcceptOptions, acceptProcess } from '@bulkhead/wire';
import { AgentConnection } from './connection/agent-connection.ts';
import { agentWire } from './wire/agent-wire.ts';

export interface ServeAgentOptions extends AcceptOptions {
  /** Sent as soon as the agent is ready [P4]. */
  readonly initialTools: MessageInitShape<typeof InitialToolDefsSchema>;
}

/**
 * Connects to a new agent and waits until it is ready, over one inherited socket pair [P3, P5].
 *
 * @param duplex the engine's end; ownership passes here, and it is destroyed on failure
 * @throws BulkheadError `protocol_violation` if the agent has another token or version or breaks
 * the protocol, `timeout` if it isn't ready in time, `agent_failed` if it ends before
 */
export async function serveAgent(duplex: Duplex, options: ServeAgentOptions): Promise<AgentConnection> {
  const connection = new AgentConnection(await acceptProcess(duplex, agentWire, options));
  connection.send({ case: 'initialTools', value: options.initialTools });
  return connection;
}
