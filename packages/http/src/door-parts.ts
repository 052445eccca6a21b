import type { BulkheadError, Clock, Timers } from '@bulkhead/protocol';
import type { Transport } from '@connectrpc/connect';
import type { Access } from './checks/proof.ts';
import type { FrontFacts } from './front/serve-front.ts';
import type { CallerBook } from './openai/caller-book.ts';

/** The parts that the engine gives the door. */
export interface DoorParts {
  readonly facts: FrontFacts;
  /** Reaches the client service in this process. */
  readonly transport: Transport;
  /** Converts the failure of a call of `transport`. */
  errorOf(error: unknown): BulkheadError;
  readonly access: Access;
  /** The callers of the OpenAI API. */
  readonly book: CallerBook;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Folder of the built web UI; may be missing. */
  readonly webFolder: string;
  /** Receives internal failures; the caller learns only that one happened. */
  onError(error: unknown): void;
}
