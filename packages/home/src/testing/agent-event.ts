import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import type { AgentEvent, CompactionEvent, LoopEvent } from '@bulkhead/agent';
import { type AttachRequest, AttachRequestSchema } from '@bulkhead/protocol/agent';

/** What the engine reads when an agent's loop says `event`. */
export function agentEvent(runId: string, event: LoopEvent): AgentEvent {
  return sentAs(wireEvent(runId, event));
}

/** As `agentEvent`, for a compaction. */
export function compactionEvent(requestId: string, event: CompactionEvent): AgentEvent {
  switch (event.type) {
    case 'model_request':
      return sentAs({ case: 'modelRequest', value: event.request });
    case 'facts':
      return sentAs({ case: 'memoryFlush', value: { requestId, facts: [...event.facts] } });
    case 'compacted':
      return sentAs({ case: 'compactionResult', value: { requestId, summary: event.answer } });
    case 'error':
      return sentAs({ case: 'error', value: { runId: '', code: event.code, message: event.message } });
  }
}

function sentAs(event: Wire): AgentEvent {
  const sent: AttachRequest['event'] = create(AttachRequestSchema, { event }).event;
  if (sent.case === undefined || sent.case === 'ready') throw new Error('the loop said what no agent says');
  return sent;
}

type Wire = NonNullable<MessageInitShape<typeof AttachRequestSchema>['event']>;

function wireEvent(runId: string, event: LoopEvent): Wire {
  switch (event.type) {
    case 'token':
      return { case: 'token', value: { text: event.text } };
    case 'thinking':
      return { case: 'thinking', value: { text: event.text } };
    case 'model_request':
      return { case: 'modelRequest', value: event.request };
    case 'tool_call':
      return { case: 'toolCall', value: { call: event.call } };
    case 'tool_defs_request':
      return { case: 'toolDefsRequest', value: { callId: event.callId, groups: [...event.groups] } };
    case 'skills_request':
      return { case: 'skillLoaded', value: { callId: event.callId, names: [...event.names] } };
    case 'complete': {
      const { content, thoughts, end } = event;
      return { case: 'complete', value: { runId, content, thoughts: [...thoughts], end } };
    }
    case 'error':
      return { case: 'error', value: { runId, code: event.code, message: event.message } };
  }
}
