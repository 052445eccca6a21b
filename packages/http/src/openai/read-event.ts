import type { SessionEvent } from '@bulkhead/protocol';
import { BulkheadError } from '@bulkhead/protocol';

/** Parses an event line of this engine: of the same build, so its shape is known. */
export function readEvent(json: string): SessionEvent {
  const event: unknown = JSON.parse(json);
  if (isEvent(event)) return event;
  throw new BulkheadError('internal', 'an event line can not be read');
}

function isEvent(value: unknown): value is SessionEvent {
  return typeof value === 'object' && value !== null && 'type' in value && 'seq' in value && 'turn' in value;
}
