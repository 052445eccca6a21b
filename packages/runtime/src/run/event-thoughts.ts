import type { EventThought } from '@bulkhead/protocol';
import { type Thought, ThoughtKind } from '@bulkhead/protocol/chat';

/** Thoughts as clients see them [L5]. */
export function eventThoughts(thoughts: readonly Thought[]): EventThought[] {
  return thoughts.map(({ kind, summary, toolName, success }) =>
    kind === ThoughtKind.TOOL_CALL
      ? { kind: 'tool_call', summary, detail: { tool_name: toolName, success } }
      : { kind: 'reasoning', summary },
  );
}
