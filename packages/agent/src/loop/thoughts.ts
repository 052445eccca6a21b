import { create } from '@bufbuild/protobuf';
import {
  type AssistantMessage,
  type Message,
  type Thought,
  ThoughtKind,
  ThoughtSchema,
  type ToolCall,
  type ToolMessage,
} from '@bulkhead/protocol/chat';
import { contentKind } from './content-kind.ts';
import { LOAD_TOOLS, requestedGroups } from './load-tools.ts';

const MAX_REASONING_LENGTH = 2_000;

/**
 * How a run got to its answer, a function of its messages alone [L5]: text that came before a tool
 * call is a `reasoning` thought, each call (meta-tools too) a `tool_call` thought. A call without a
 * result counts as not successful.
 *
 * @param run the messages of one run, in order; text after its last call is the answer, not a
 *   thought
 */
export function thoughtsOf(run: readonly Message[]): Thought[] {
  const thoughts: Thought[] = [];
  let lastCall = 0;
  for (const [at, { role }] of run.entries()) {
    if (role.case !== 'assistant') continue;
    for (const thought of thoughtsOfAnswer(role.value, resultsAfter(run, at))) {
      thoughts.push(thought);
      if (thought.kind === ThoughtKind.TOOL_CALL) lastCall = thoughts.length;
    }
  }
  return thoughts.slice(0, lastCall);
}

/** Results directly after the answer at `at`. Ids are unique only within one answer. */
function resultsAfter(run: readonly Message[], at: number): ReadonlyMap<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (let next = at + 1; next < run.length; next += 1) {
    const role = run[next]?.role;
    if (role?.case !== 'tool') break;
    results.set(role.value.callId, role.value);
  }
  return results;
}

function thoughtsOfAnswer(
  answer: AssistantMessage,
  results: ReadonlyMap<string, ToolMessage>,
): readonly Thought[] {
  return answer.parts.flatMap(({ part }) => {
    if (part.case === 'toolCall') return [callThought(part.value, results.get(part.value.callId))];
    if (part.case !== 'text' || part.value.text.trim() === '') return [];
    return [create(ThoughtSchema, { kind: ThoughtKind.REASONING, summary: reasoning(part.value.text) })];
  });
}

function callThought(call: ToolCall, result: ToolMessage | undefined): Thought {
  return create(ThoughtSchema, {
    kind: ThoughtKind.TOOL_CALL,
    summary: summarizeCall(call, result),
    toolName: call.name,
    success: result !== undefined && !result.isError,
  });
}

function reasoning(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= MAX_REASONING_LENGTH ? trimmed : `${trimmed.slice(0, MAX_REASONING_LENGTH)}…`;
}

const MAX_ERROR_LENGTH = 100;

/**
 * One short line about a call and its result, such as `read -> 450 bytes of TypeScript source`.
 *
 * @param result undefined if the run ended before there was one
 */
export function summarizeCall(call: ToolCall, result: ToolMessage | undefined): string {
  return `${call.name} -> ${outcome(call, result)}`;
}

function outcome(call: ToolCall, result: ToolMessage | undefined): string {
  if (result === undefined) return 'no result';
  if (result.isError) return `failed: ${firstLine(result.text)}`;
  if (call.name === LOAD_TOOLS) return requestedGroups(call).join(', ');
  if (result.text === '') return 'no output';
  return `${size(new TextEncoder().encode(result.text).length)} of ${contentKind(call, result.text)}`;
}

function size(bytes: number): string {
  if (bytes === 1) return '1 byte';
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000)} kB`;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= MAX_ERROR_LENGTH ? line : `${line.slice(0, MAX_ERROR_LENGTH)}…`;
}
