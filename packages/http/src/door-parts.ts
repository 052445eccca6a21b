import type { BulkheadError, Clock, Timers } from '@bulkhead/protocol';
import type { Transport } from '@connectrpc/connect';
import type { Access } from './checks/proof.ts';
import type { FrontFacts } from './front/serve-front.ts';

/** What the engine gives the door. */
export interface DoorParts {
  readonly facts: FrontFacts;
  /** To the client service, in this process. */
  readonly transport: Transport;
  /** What a failed call of `transport` means. */
  errorOf(error: unknown): BulkheadError;
  readonly access: Access;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Folder of the built web UI; may be missing. */
  readonly webFolder: string;
  /** Told of what went wrong inside: the one who called is told only that it did. */
  onError(error: unknown): void;
}
