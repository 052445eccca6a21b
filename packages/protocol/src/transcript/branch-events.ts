import type { EventBody, SessionEvent } from '../events.ts';
import type { AssistantMessage } from '../gen/bulkhead/chat/v1/chat_pb.ts';
import type { BranchEntry } from '../gen/bulkhead/client/v1/sessions_pb.ts';

/** An entry of a conversation as the events that reported it; their `seq` is 0. */
export function branchEvents(entry: BranchEntry): SessionEvent[] {
  const { time, sessionId: session } = entry;
  return bodiesOf(entry).map((body) => ({ seq: 0, time, session, turn: '', ...body }));
}

function bodiesOf({ entryId: entry, message }: BranchEntry): EventBody[] {
  switch (message?.role.case) {
    case 'user':
      return [{ type: 'message_end', role: 'user', entry, text: message.role.value.text }];
    case 'assistant':
      return assistantBodies(entry, message.role.value);
    case 'tool': {
      const { callId, name, text, isError } = message.role.value;
      return [{ type: 'tool_output', call: callId, tool: name, text, isError }];
    }
    default:
      return [];
  }
}

function assistantBodies(entry: string, { parts }: AssistantMessage): EventBody[] {
  const said = (kind: 'text' | 'thinking'): string =>
    parts.map(({ part }) => (part.case === kind ? part.value.text : '')).join('');
  const thinking = said('thinking');
  const calls = parts.flatMap(({ part }): EventBody[] => {
    if (part.case !== 'toolCall') return [];
    const { callId, name, argumentsJson } = part.value;
    return [{ type: 'tool_call', call: callId, tool: name, arguments: parsed(argumentsJson) }];
  });
  const thought = thinking === '' ? {} : { thinking };
  return [{ type: 'message_end', role: 'assistant', entry, text: said('text'), ...thought }, ...calls];
}

/** A model may have written invalid JSON: then nothing of it is shown. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
