import { AttachRequestSchema, AttachResponseSchema } from '@bulkhead/protocol/worker';
import { type BoxedProcess, WORKER_LIMITS } from '@bulkhead/wire';

/** Paths in one `InspectFiles`: both ends hold to it. */
export const MAX_INSPECTED_PATHS = 64;

/** The worker as a process on the engine's wire; both ends rest on it. */
export const workerWire: BoxedProcess<typeof AttachRequestSchema, typeof AttachResponseSchema> = {
  name: 'worker',
  goneCode: 'worker_failed',
  event: AttachRequestSchema,
  directive: AttachResponseSchema,
  limits: WORKER_LIMITS,
  readyOf: ({ event }) => (event.case === 'ready' ? event.value : undefined),
};
