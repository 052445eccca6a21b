import type { EventType, SessionEvent } from '@bulkhead/protocol';

/** @throws Error for a line that is no event: standard output of `--json` holds nothing else */
export function parseEventLine(line: string): SessionEvent {
  const value: unknown = JSON.parse(line);
  if (isEvent(value)) return value;
  throw new Error(`not an event line: ${line}`);
}

function isEvent(value: unknown): value is SessionEvent {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    Number.isSafeInteger(fields.get('seq')) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(fields.get('time'))) &&
    typeof fields.get('session') === 'string' &&
    typeof fields.get('turn') === 'string' &&
    typeof fields.get('type') === 'string'
  );
}

/** The events of one type, in order. */
export function ofType<Type extends EventType>(
  events: readonly SessionEvent[],
  type: Type,
): Extract<SessionEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<SessionEvent, { type: Type }> => event.type === type);
}

/** The end of the run. @throws Error unless there is exactly one */
export function settledOf(events: readonly SessionEvent[]): Extract<SessionEvent, { type: 'settled' }> {
  const [settled, ...more] = ofType(events, 'settled');
  if (settled === undefined || more.length > 0) throw new Error(`${more.length + (settled ? 1 : 0)} settled`);
  return settled;
}
