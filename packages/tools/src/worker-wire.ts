import { AttachRequestSchema, AttachResponseSchema } from '@bulkhead/protocol/worker';
import { type BoxedProcess, WORKER_LIMITS } from '@bulkhead/wire';

/** Limit of paths in one `InspectFiles`: both ends enforce it. */
export const MAX_INSPECTED_PATHS = 64;

/** The worker as a process on the engine's wire; both ends depend on it. */
export const workerWire: BoxedProcess<typeof AttachRequestSchema, typeof AttachResponseSchema> = {
  name: 'worker',
  goneCode: 'worker_failed',
  event: AttachRequestSchema,
  directive: AttachResponseSchema,
  limits: WORKER_LIMITS,
  readyOf: ({ event }) => (event.case === 'ready' ? event.value : undefined),
};
