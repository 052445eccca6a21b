import type { Message } from '@bulkhead/protocol/chat';
import { parseJsonObject } from '../json-object.ts';
import { unmarked, withoutFiles } from './unmarked.ts';

export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

export interface MadeCall {
  readonly tool: string;
  /** Undefined until the result arrives. */
  readonly outcome: ToolOutcome | undefined;
}

/** The parts of a conversation that the offline model needs. */
export interface RunView {
  /** The latest user message, without its attached files. */
  readonly request: string;
  /** Calls made since then, in order. */
  readonly calls: readonly MadeCall[];
  /** The file that earlier messages used last. */
  readonly subject: string | undefined;
  readonly usedCallIds: ReadonlySet<string>;
}

/**
 * Reads a conversation: the last user message starts the run.
 *
 * @param isLast true for a run's last request, without tools: then the text after a tool's result
 *   is the loop's note to the model, not a person's message
 */
export function viewRun(messages: readonly Message[], isLast: boolean): RunView {
  const start = messages.findLastIndex(
    ({ role }, index) => role.case === 'user' && !(isLast && messages[index - 1]?.role.case === 'tool'),
  );
  const user = start < 0 ? undefined : messages[start];
  return {
    request: user?.role.case === 'user' ? withoutFiles(user.role.value.text) : '',
    calls: callsOf(messages.slice(start + 1)),
    subject: subjectOf(messages.slice(0, Math.max(0, start))),
    usedCallIds: new Set(toolCalls(messages).map((call) => call.callId)),
  };
}

function callsOf(run: readonly Message[]): MadeCall[] {
  const outcomes = new Map<string, ToolOutcome>();
  for (const { role } of run) {
    if (role.case === 'tool')
      outcomes.set(role.value.callId, { text: unmarked(role.value.text), isError: role.value.isError });
  }
  return toolCalls(run).map((call) => ({ tool: call.name, outcome: outcomes.get(call.callId) }));
}

function subjectOf(earlier: readonly Message[]): string | undefined {
  const paths = toolCalls(earlier)
    .filter((call) => ['read', 'write', 'edit'].includes(call.name))
    .map((call) => parseJsonObject(call.argumentsJson)?.['path']);
  const last = paths.at(-1);
  return typeof last === 'string' ? last : undefined;
}

function toolCalls(messages: readonly Message[]) {
  return messages.flatMap(({ role }) =>
    role.case === 'assistant'
      ? role.value.parts.flatMap(({ part }) => (part.case === 'toolCall' ? [part.value] : []))
      : [],
  );
}
