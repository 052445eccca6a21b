import type { Duplex } from 'node:stream';
import { create } from '@bufbuild/protobuf';
import { BulkheadError, PROTOCOL_VERSION } from '@bulkhead/protocol';
import { AgentReadySchema, type AttachResponse } from '@bulkhead/protocol/agent';
import { attachToEngine, refuseOtherVersion } from '@bulkhead/wire';
import { attackOwnBox } from '@bulkhead/wire/self-probe';
import { agentWire } from '../wire/agent-wire.ts';
import type { AgentArguments } from './agent-arguments.ts';
import { AgentSession, sender } from './agent-session.ts';

/**
 * Serves the engine at the other end of `socket` until it sends a shutdown or is gone [P3, P4].
 *
 * @param pid this process's id, for the engine's log
 * @throws BulkheadError `timeout` if InitialToolDefs doesn't come in time, `agent_failed` if the engine
 *   closes before, `protocol_violation` for another version [FT100], another first message or an
 *   unreadable one
 */
export async function runAgent(
  socket: Duplex,
  { token, protocolVersion, initialToolsTimeoutMs, probe }: AgentArguments,
  pid: number,
) {
  refuseOtherVersion(agentWire.name, { process: PROTOCOL_VERSION, engine: protocolVersion });
  // Runs before any data of the engine is read, so no one else can influence the findings.
  const probes = probe === undefined ? {} : await attackOwnBox(probe);
  const engine = attachToEngine(socket, agentWire);
  const send = sender((message) => engine.outbox.push(message));
  const ready = { token, protocolVersion: PROTOCOL_VERSION, pid, probes };
  send({ case: 'ready', value: create(AgentReadySchema, ready) });
  await initialTools(engine.directives, initialToolsTimeoutMs);
  const session = new AgentSession(send);
  for await (const directive of engine.directives) {
    if (!session.handle(directive)) return;
  }
}

async function initialTools(directives: AsyncGenerator<AttachResponse>, timeoutMs: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new BulkheadError('timeout', `the engine sent no InitialToolDefs within ${timeoutMs / 1_000} s`));
  }, timeoutMs);
  try {
    const first = await Promise.race([directives.next(), late]);
    if (first.done === true) {
      throw new BulkheadError('agent_failed', 'the engine closed the connection before InitialToolDefs');
    }
    if (first.value.directive.case !== 'initialTools') {
      throw new BulkheadError('protocol_violation', 'the first directive was not InitialToolDefs');
    }
  } finally {
    clearTimeout(timer);
  }
}
