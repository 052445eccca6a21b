import type { DurableEventBody } from '@bulkhead/protocol';
import type { ToolCall } from '@bulkhead/protocol/chat';

/** A call as clients receive it. */
export function toolCallEvent(call: ToolCall): DurableEventBody {
  return {
    type: 'tool_call',
    call: call.callId,
    tool: call.name,
    arguments: parsedOrText(call.argumentsJson),
  };
}

/** Arguments as a client can show them; text that is no JSON stays text. */
function parsedOrText(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
