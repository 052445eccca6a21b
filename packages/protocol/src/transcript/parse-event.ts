import type { EventType, SessionEvent } from '../events.ts';

type FieldType = 'string' | 'number' | 'boolean' | 'strings' | 'strings?' | 'string?' | 'any';

/** Fields a client relies on, by event. What else an event holds is optional or not shown. */
const FIELDS: Readonly<Record<EventType, Readonly<Record<string, FieldType>>>> = {
  agent_start: { message: 'string' },
  agent_end: { message: 'string' },
  turn_start: { round: 'number', model: 'string' },
  turn_end: { round: 'number', stopReason: 'string' },
  message_start: { role: 'string' },
  message_end: { role: 'string', text: 'string' },
  tool_call: { call: 'string', tool: 'string', arguments: 'any' },
  tool_output: { call: 'string', tool: 'string', text: 'string', isError: 'boolean' },
  action_started: { action: 'string', call: 'string', tool: 'string', hash: 'string' },
  shield_verdict: { action: 'string', decision: 'string', tier: 'number', rule: 'string', reason: 'string' },
  approval_requested: {
    approval: 'string',
    action: 'string',
    hash: 'string',
    tool: 'string',
    shown: 'string',
    reason: 'string',
    scopes: 'strings?',
    rule: 'string?',
  },
  approval_decided: { approval: 'string', action: 'string', decision: 'string', by: 'string' },
  client_call: { action: 'string', call: 'string', name: 'string', arguments: 'any' },
  action_completed: { action: 'string', call: 'string', success: 'boolean', summary: 'string' },
  retry_start: {
    attempt: 'number',
    maxAttempts: 'number',
    delayMs: 'number',
    code: 'string',
    message: 'string',
    model: 'string',
  },
  retry_end: { attempt: 'number', success: 'boolean' },
  queue_update: { steer: 'strings', followUp: 'strings' },
  state_change: { from: 'string', to: 'string' },
  session_before_compact: { reason: 'string', messages: 'number' },
  session_compact: { entry: 'string' },
  run_resumed: { message: 'string', executed: 'number', notExecuted: 'number', unknown: 'number' },
  session_title: { title: 'string' },
  label: { entry: 'string', label: 'string' },
  leaf_moved: { from: 'string', to: 'string' },
  response_complete: { text: 'string' },
  save_point: {},
  settled: { message: 'string', outcome: 'string', answer: 'string', rounds: 'number' },
  idle: {},
  error: { code: 'string', message: 'string', retryable: 'boolean' },
  text_delta: { text: 'string' },
  thinking_delta: { text: 'string' },
  tool_delta: { call: 'string', text: 'string' },
  gap: { after: 'number' },
};

/**
 * Reads an event line, leniently: it comes from an engine that may be newer than this client.
 * @param each is given every text in it, and gives the one to take instead: `inertText` for a terminal
 * @returns undefined for an event this client doesn't know, or one that lacks what it needs
 */
export function parseEvent(json: string, each?: (text: string) => string): SessionEvent | undefined {
  const value = parseJson(json, each);
  return isSessionEvent(value) ? value : undefined;
}

/** What every event says of itself, also one this client doesn't know. */
export interface EventHeader {
  readonly type: string;
  /** The run; empty outside one. */
  readonly turn: string;
  /** The message an event is about; empty if it isn't about one. */
  readonly message: string;
}

export function parseEventHeader(json: string): EventHeader {
  const value = parseJson(json);
  const fields = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const text = (name: string): string => {
    const field = fields.get(name);
    return typeof field === 'string' ? field : '';
  };
  return { type: text('type'), turn: text('turn'), message: text('message') };
}

function isSessionEvent(value: unknown): value is SessionEvent {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const type = fields.get('type');
  if (typeof type !== 'string' || !isEventType(type)) return false;
  const wanted: Readonly<Record<string, FieldType>> = { seq: 'number', turn: 'string', ...FIELDS[type] };
  return Object.entries(wanted).every(([name, kind]) => isOf(kind, fields.get(name)));
}

function isOf(kind: FieldType, value: unknown): boolean {
  if (kind === 'any') return true;
  if (kind === 'strings?') return value === undefined || isOf('strings', value);
  if (kind === 'string?') return value === undefined || typeof value === 'string';
  if (kind === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof value === kind;
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(FIELDS, type);
}

function parseJson(text: string, each?: (text: string) => string): unknown {
  try {
    if (each === undefined) return JSON.parse(text);
    return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? each(value) : value));
  } catch {
    return undefined;
  }
}
