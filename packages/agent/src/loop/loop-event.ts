import type { ModelRequest, RunEnd } from '@bulkhead/protocol/agent';
import type { ToolCall } from '@bulkhead/protocol/chat';

/**
 * What the loop tells its caller, in order [L2]. Any number of the first two, then exactly one `LoopEnd`, after which
 * nothing follows. No event carries words: who asks for an answer has them already.
 */
export type LoopEvent =
  /** Asks for one model answer, which comes under `request.requestId`. */
  | { readonly type: 'model_request'; readonly request: ModelRequest }
  /** Exactly one for each call that had no result. */
  | { readonly type: 'tool_call'; readonly call: ToolCall }
  | LoopEnd;

export type LoopEnd =
  | { readonly type: 'complete'; readonly end: RunEnd }
  /** The run could not be finished. `code` is an `ErrorCode`, or what the gateway said. */
  | { readonly type: 'error'; readonly code: string; readonly message: string };
