import { create, toBinary } from '@bufbuild/protobuf';
import {
  AttachResponseSchema as AgentDirectiveSchema,
  AttachRequestSchema as AgentEventSchema,
} from '@bulkhead/protocol/agent';
import {
  AttachResponseSchema as WorkerDirectiveSchema,
  AttachRequestSchema as WorkerEventSchema,
} from '@bulkhead/protocol/worker';
import type { BoxedProcess } from '../boxed-process.ts';
import { AGENT_LIMITS, WORKER_LIMITS } from '../limits.ts';

/** The wire of an agent, as the package of agents defines it. */
export const agent: BoxedProcess<typeof AgentEventSchema, typeof AgentDirectiveSchema> = {
  name: 'agent',
  goneCode: 'agent_failed',
  event: AgentEventSchema,
  directive: AgentDirectiveSchema,
  limits: AGENT_LIMITS,
  readyOf: ({ event }) => (event.case === 'ready' ? event.value : undefined),
};

/** The wire of a worker, as the package of tools defines it. */
export const worker: BoxedProcess<typeof WorkerEventSchema, typeof WorkerDirectiveSchema> = {
  name: 'worker',
  goneCode: 'worker_failed',
  event: WorkerEventSchema,
  directive: WorkerDirectiveSchema,
  limits: WORKER_LIMITS,
  readyOf: ({ event }) => (event.case === 'ready' ? event.value : undefined),
};

export function agentReady(token: string, protocolVersion: number): Uint8Array {
  const event = { case: 'ready' as const, value: { token, protocolVersion, pid: 1 } };
  return toBinary(AgentEventSchema, create(AgentEventSchema, { event }));
}

export function workerReady(
  token: string,
  protocolVersion: number,
  probes: Record<string, string> = {},
): Uint8Array {
  const event = { case: 'ready' as const, value: { token, protocolVersion, pid: 1, probes } };
  return toBinary(WorkerEventSchema, create(WorkerEventSchema, { event }));
}
