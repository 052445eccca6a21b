import type { AgentConnection, AgentEvent } from '../connection/agent-connection.ts';
import { answer, deltasOf } from './messages.ts';
import type { ScriptDelta } from './scripted-caller.ts';

/**
 * Serves an agent over its connection until its run ends: answers model requests by script, every call with
 * `result of <id>`, every request for tools with none.
 *
 * @returns all events, in order
 */
export async function serveRun(
  connection: AgentConnection,
  models: readonly (readonly ScriptDelta[])[],
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  let round = 0;
  for await (const event of unclosed(connection.events)) {
    events.push(event);
    if (event.case === 'modelRequest') {
      sendAnswer(connection, event.value.requestId, models[round] ?? deltasOf(answer('done')));
      round += 1;
    } else if (event.case === 'toolCall') {
      const { callId = '', name = '' } = event.value.call ?? {};
      const result = { callId, name, text: `result of ${callId}` };
      connection.send({ case: 'toolResult', value: { result } });
    } else if (event.case === 'toolDefsRequest') {
      const { callId, groups } = event.value;
      connection.send({ case: 'toolDefs', value: { callId, unknown: groups, known: ['git'] } });
    } else if (event.case === 'complete' || event.case === 'error') {
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

function sendAnswer(connection: AgentConnection, requestId: string, deltas: readonly ScriptDelta[]): void {
  for (const delta of deltas) {
    if (delta?.case === 'text' || delta?.case === 'thinking') {
      connection.sendModelDelta(requestId, delta.case, delta.value);
    } else if (delta !== undefined) {
      connection.send({ case: 'modelDelta', value: { requestId, delta } });
    }
  }
}

/** All text that came as tokens. */
export function tokensOf(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.case === 'token' ? event.value.text : '')).join('');
}
