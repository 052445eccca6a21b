import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { AttachRequestSchema } from '@bulkhead/protocol/agent';
import type { AgentEvent } from '../connection/agent-connection.ts';
import type { LoopEvent } from '../loop/loop-event.ts';

type Init = NonNullable<MessageInitShape<typeof AttachRequestSchema>['event']>;

/** The message for the engine when the loop emits `event`. */
export function agentEvent(runId: string, event: LoopEvent): AgentEvent {
  const sent = create(AttachRequestSchema, { event: wireEvent(runId, event) }).event;
  if (sent.case === undefined || sent.case === 'ready') throw new Error('the loop said what no agent says');
  return sent;
}

function wireEvent(runId: string, event: LoopEvent): Init {
  switch (event.type) {
    case 'model_request':
      return { case: 'modelRequest', value: event.request };
    case 'tool_call':
      return { case: 'toolCall', value: { call: event.call } };
    case 'complete':
      return { case: 'complete', value: { runId, end: event.end } };
    case 'error':
      return { case: 'error', value: { runId, code: event.code } };
  }
}
