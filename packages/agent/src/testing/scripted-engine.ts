import type { AgentConnection, AgentEvent } from '../connection/agent-connection.ts';
import { answer, answered, type Outcome } from './messages.ts';

/**
 * Serves an agent over its connection until its run ends: answers model requests by script, every
 * call with `result of <id>`.
 *
 * @returns all events, in order
 */
export async function serveRun(
  connection: AgentConnection,
  models: readonly Outcome[],
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  let round = 0;
  for await (const event of unclosed(connection.events)) {
    events.push(event);
    if (event.case === 'modelRequest') {
      const outcome = models[round] ?? answered(answer('done'));
      const { requestId } = event.value;
      connection.send({ case: 'modelAnswer', value: { requestId, ...(outcome && { outcome }) } });
      round += 1;
    } else if (event.case === 'toolCall') {
      const { callId = '', name = '' } = event.value.call ?? {};
      const result = { callId, name, text: `result of ${callId}` };
      connection.send({ case: 'toolResult', value: { result } });
    } else {
      break;
    }
  }
  return events;
}

/** The same events, but leaving the loop keeps the connection. */
export function unclosed(events: AsyncIterable<AgentEvent>): AsyncIterable<AgentEvent> {
  const iterator = events[Symbol.asyncIterator]();
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
}
