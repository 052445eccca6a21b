import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AttachRequestSchema } from '@bulkhead/protocol/worker';

export type WorkerEventInit = NonNullable<MessageInitShape<typeof AttachRequestSchema>['event']>;

/** Returns false if the event is larger than the engine accepts; then nothing was sent. */
export type SendEvent = (event: WorkerEventInit) => boolean;
