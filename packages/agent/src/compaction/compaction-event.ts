import type { ModelRequest } from '@bulkhead/protocol/agent';

/** What a compaction tells its caller: any number of the first two, then exactly one of the others. */
export type CompactionEvent =
  | { readonly type: 'model_request'; readonly request: ModelRequest }
  /** Once at most, with at least one fact. */
  | { readonly type: 'facts'; readonly facts: readonly string[] }
  | CompactionEnd;

export type CompactionEnd =
  | {
      readonly type: 'compacted';
      /** What the model said, as it said it; empty if there was nothing to gain. */
      readonly answer: string;
    }
  | { readonly type: 'error'; readonly code: string; readonly message: string };
