import { AttachRequestSchema, AttachResponseSchema } from '@bulkhead/protocol/agent';
import { AGENT_LIMITS, type BoxedProcess } from '@bulkhead/wire';

/** The agent as a process on the engine's wire; both ends depend on it. */
export const agentWire: BoxedProcess<typeof AttachRequestSchema, typeof AttachResponseSchema> = {
  name: 'agent',
  goneCode: 'agent_failed',
  event: AttachRequestSchema,
  directive: AttachResponseSchema,
  limits: AGENT_LIMITS,
  readyOf: ({ event }) => (event.case === 'ready' ? event.value : undefined),
};
