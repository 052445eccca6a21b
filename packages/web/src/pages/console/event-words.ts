import { inertLine, type SessionEvent } from '@bulkhead/protocol';
import { briefArguments, firstLine } from '@bulkhead/protocol/transcript';

/** An event in one line, without invisible characters. */
export function eventWords(event: SessionEvent): string {
  return inertLine(wordsOf(event));
}

function wordsOf(event: SessionEvent): string {
  switch (event.type) {
    case 'message_end':
      return firstLine(event.text);
    case 'tool_call':
      return `${event.tool} ${briefArguments(event.arguments)}`;
    case 'tool_output':
      return `${event.tool}: ${firstLine(event.text)}`;
    case 'shield_verdict':
      return `${event.decision} · ${event.reason === '' ? event.rule : event.reason}`;
    case 'approval_requested':
      return `${event.tool}: ${event.reason}`;
    case 'approval_decided':
      return `${event.decision} by ${event.by.replace('_', ' ')}`;
    case 'action_started':
      return event.tool;
    case 'action_completed':
      return event.summary;
    case 'turn_start':
      return `round ${event.round} · ${event.model}`;
    case 'retry_start':
    case 'error':
      return event.message;
    case 'state_change':
      return `${event.from} → ${event.to}`;
    case 'session_title':
      return event.title;
    case 'label':
      return event.label === '' ? 'removed' : event.label;
    case 'settled':
      return event.error === undefined ? event.outcome : `${event.outcome}: ${event.error.message}`;
    default:
      return '';
  }
}

export type EventTone = '' | 'good' | 'warn' | 'bad' | 'accent';

export function eventTone(event: SessionEvent): EventTone {
  switch (event.type) {
    case 'shield_verdict':
      return event.decision === 'allow' ? 'good' : event.decision === 'block' ? 'bad' : 'warn';
    case 'approval_requested':
    case 'retry_start':
      return 'warn';
    case 'error':
      return 'bad';
    case 'tool_output':
      return event.isError ? 'bad' : '';
    case 'settled':
      return event.outcome === 'completed' ? 'good' : 'warn';
    case 'tool_call':
    case 'agent_start':
      return 'accent';
    default:
      return '';
  }
}
