import type { ModelRequest, RunEnd } from '@bulkhead/protocol/agent';
import type { ToolCall } from '@bulkhead/protocol/chat';

/**
 * The loop's events for its caller, in order [L2]: any number of the first two, then exactly one
 * `LoopEnd` as the last. No event contains message text: the caller already has it.
 */
export type LoopEvent =
  /** Asks for one model answer, delivered under `request.requestId`. */
  | { readonly type: 'model_request'; readonly request: ModelRequest }
  /** Exactly one for each call that had no result. */
  | { readonly type: 'tool_call'; readonly call: ToolCall }
  | LoopEnd;

export type LoopEnd =
  | { readonly type: 'complete'; readonly end: RunEnd }
  /** The run could not be finished. `code` is an `ErrorCode`, or the gateway's code. */
  | { readonly type: 'error'; readonly code: string; readonly message: string };
