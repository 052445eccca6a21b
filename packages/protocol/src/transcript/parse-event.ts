import type { EventBody, EventEnvelope, EventType, SessionEvent } from '../events.ts';

type FieldType =
  | 'string'
  | 'string?'
  | 'strings'
  | 'strings?'
  | 'number'
  | 'number or null'
  | 'boolean'
  | 'objects'
  | 'usage'
  | 'usage?'
  | 'origin?'
  | 'any';

type FieldsOf<Body> = { readonly [Name in Exclude<keyof Body, 'type'>]?: FieldType };

/** Fields that a client relies on, by event. An event's other fields are optional or not shown. */
const FIELDS: {
  readonly [Type in EventType]: FieldsOf<Extract<EventBody, { readonly type: Type }>>;
} = {
  agent_start: { message: 'string' },
  agent_end: { message: 'string' },
  turn_start: { round: 'number', model: 'string' },
  turn_end: { round: 'number', stopReason: 'string' },
  message_start: { role: 'string' },
  message_end: { role: 'string', entry: 'string?', text: 'string', usage: 'usage?', origin: 'origin?' },
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
    expires: 'string',
    scopes: 'strings?',
    rule: 'string?',
    origin: 'origin?',
  },
  approval_decided: {
    approval: 'string',
    action: 'string',
    decision: 'string',
    by: 'string',
    approver: 'origin?',
  },
  client_call: { action: 'string', call: 'string', name: 'string', arguments: 'any', expires: 'string' },
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
  response_complete: { text: 'string', thoughts: 'objects' },
  save_point: {},
  settled: {
    message: 'string',
    outcome: 'string',
    answer: 'string',
    usage: 'usage',
    cost: 'number or null',
    rounds: 'number',
  },
  idle: {},
  error: { code: 'string', message: 'string', retryable: 'boolean' },
  text_delta: { text: 'string' },
  thinking_delta: { text: 'string' },
  tool_delta: { call: 'string', text: 'string' },
  gap: { after: 'number' },
};

const ENVELOPE: FieldsOf<EventEnvelope> = {
  seq: 'number',
  time: 'string',
  session: 'string',
  turn: 'string',
};

/**
 * Reads an event line, leniently: it comes from an engine that may be newer than this client.
 * @param each maps every text in it: `inertText` for a terminal
 * @returns undefined for an unknown event, or one with missing fields
 */
export function parseEvent(json: string, each?: (text: string) => string): SessionEvent | undefined {
  const value = parseJson(json, each);
  return isSessionEvent(value) ? value : undefined;
}

/** Fields of every event, including unknown ones. */
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
  const wanted: Readonly<Record<string, FieldType>> = { ...ENVELOPE, ...FIELDS[type] };
  return Object.entries(wanted).every(([name, kind]) => isOf(kind, fields.get(name)));
}

function isOf(kind: FieldType, value: unknown): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'string?':
      return value === undefined || typeof value === 'string';
    case 'strings':
      return isListOf('string', value);
    case 'strings?':
      return value === undefined || isListOf('string', value);
    case 'number or null':
      return value === null || typeof value === 'number';
    case 'objects':
      return isListOf('object', value);
    case 'usage':
      return isUsage(value);
    case 'usage?':
      return value === undefined || isUsage(value);
    case 'origin?':
      return value === undefined || isOrigin(value);
    default:
      return typeof value === kind;
  }
}

function isListOf(kind: 'string' | 'object', value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => item !== null && typeof item === kind);
}

function isOrigin(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('channel' in value) || !('sender' in value))
    return false;
  const { channel, sender } = value;
  if (typeof channel !== 'string' || typeof sender !== 'object' || sender === null) return false;
  const { id, name } = { id: undefined, name: undefined, ...sender };
  return typeof id === 'string' && (name === undefined || typeof name === 'string');
}

/** Fields that are summed. */
const COUNTED = ['inputTokens', 'outputTokens', 'cachedInputTokens'];

function isUsage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const counts = new Map<string, unknown>(Object.entries(value));
  return COUNTED.every((name) => typeof counts.get(name) === 'number');
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
