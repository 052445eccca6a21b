import type { ModelRequest, RunEnd } from '@bulkhead/protocol/agent';
import type { Thought, ToolCall } from '@bulkhead/protocol/chat';

/**
 * What the loop tells its caller, in order [L2]. Any number of the first six, then exactly one
 * `LoopEnd`, after which nothing follows.
 */
export type LoopEvent =
  /** A piece of the model's text, as it came. */
  | { readonly type: 'token'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Asks for one model answer; its deltas come under `request.requestId`. */
  | { readonly type: 'model_request'; readonly request: ModelRequest }
  /** Exactly one for each call that had no result, except calls of `load_tools` and `load_skills`. */
  | { readonly type: 'tool_call'; readonly call: ToolCall }
  /** Exactly one for each call of `load_tools` that had no result; no groups if its arguments are malformed. */
  | { readonly type: 'tool_defs_request'; readonly callId: string; readonly groups: readonly string[] }
  /** Exactly one for each call of `load_skills` that had no result; no names if its arguments are malformed. */
  | { readonly type: 'skills_request'; readonly callId: string; readonly names: readonly string[] }
  | LoopEnd;

export type LoopEnd =
  | {
      readonly type: 'complete';
      readonly content: string;
      readonly thoughts: readonly Thought[];
      readonly end: RunEnd;
    }
  /** The run could not be finished. `code` is an `ErrorCode`, or what the gateway said. */
  | { readonly type: 'error'; readonly code: string; readonly message: string };
