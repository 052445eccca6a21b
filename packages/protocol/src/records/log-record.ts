import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { BulkheadError } from '../errors.ts';
import type { DurableEventBody } from '../events.ts';
import { RECORD_VERSION } from '../version.ts';
import { ACTIONS, type ActionBodies } from './actions.ts';
import { type Fields, fieldsOf, unfit } from './check.ts';
import { CONTEXT, type ContextBodies, FLOW, type FlowBodies } from './context.ts';
import { CONVERSATION, type ConversationBodies, MARKS, type MarkBodies } from './conversation.ts';
import { INPUT_OPTIONS, RUN, type RunBodies } from './run.ts';

type RecordBodies = ConversationBodies & MarkBodies & RunBodies & ActionBodies & ContextBodies & FlowBodies;

export type RecordType = keyof RecordBodies;
export type MarkType = keyof MarkBodies;
export type RecordBody<Type extends RecordType> = RecordBodies[Type];

/** A record of one of these types, without its place in a log. */
export type RecordOf<Type extends RecordType> = {
  readonly [Each in Type]: { readonly type: Each; readonly body: RecordBodies[Each] };
}[Type];

/** All records that may be written to the log of a session. */
export type NewLogRecord = RecordOf<RecordType>;

/**
 * A record of version 1 that fits no type: kept unchanged, without the meaning of a type. Stores of
 * that version knew no types.
 */
export interface Version1Record {
  readonly type: 'version_1';
  /** Its stored type. */
  readonly stored: string;
  readonly body: JsonObject;
}

/**
 * One record of a session's log, distinguished by `type`. Only `parseLogRecord` makes one from
 * stored text.
 */
export type LogRecord = NewLogRecord | Version1Record;

interface Stored {
  readonly type: string;
  readonly version: number;
  /** Id of its entry; null for none. */
  readonly entry: string | null;
}

const FIELDS: ReadonlyMap<string, Fields> = new Map(
  Object.entries({ ...CONVERSATION, ...MARKS, ...RUN, ...ACTIONS, ...CONTEXT, ...FLOW }).map(
    ([type, shape]) => [type, fieldsOf(shape)],
  ),
);

const OPTIONS = fieldsOf(INPUT_OPTIONS);

/** Versions of records that this program reads; it writes `RECORD_VERSION`. */
export const SUPPORTED_RECORD_VERSIONS: readonly number[] = [1, RECORD_VERSION];

/** A test for records of one type. */
export function isOf<Type extends RecordType>(
  type: Type,
): <Record extends LogRecord>(record: Record) => record is Extract<Record, { readonly type: Type }>;
export function isOf(type: RecordType): (record: LogRecord) => boolean {
  return (record) => record.type === type;
}

/** True for an entry without a message. */
export function isMark(record: LogRecord): record is RecordOf<MarkType> {
  return isMarkType(record.type);
}

/** True for a record that holds a message, if it is an entry. */
export function isMessage(
  record: LogRecord,
): record is RecordOf<'message_end' | 'tool_output'> | Version1Record {
  return ['message_end', 'tool_output', 'version_1'].includes(record.type);
}

export function isMarkType(type: string): type is MarkType {
  return Object.hasOwn(MARKS, type);
}

/**
 * Reads a stored record. Unknown fields are kept.
 *
 * @param text its body
 * @throws BulkheadError `not_available` for a version or a type of a later program;
 *   `store_corrupt` for a body that its type can't have
 */
export function parseLogRecord(stored: Stored, text: string): LogRecord {
  if (!SUPPORTED_RECORD_VERSIONS.includes(stored.version)) {
    throw later(`has version ${stored.version}; this program reads up to ${RECORD_VERSION}`);
  }
  return logRecordOf(stored, parseBody(text));
}

/** As `parseLogRecord`, for a parsed body. */
export function logRecordOf(stored: Stored, body: JsonObject): LogRecord {
  const { type, version } = stored;
  const fields = FIELDS.get(type);
  if (version === RECORD_VERSION) {
    if (fields === undefined) throw later(`has the type ${type}, which this program does not know`);
    if (unfit(fields, body) === undefined) return known({ type, body });
  }
  const whole = raised(stored, fields ?? [], body);
  // Entries of version 1 all held messages, with any type.
  const isOther = version < RECORD_VERSION && stored.entry !== null && isMarkType(type);
  const fault = fields === undefined || isOther ? 'type' : unfit(fields, whole)?.[0];
  if (fault === undefined) return known({ type, body: whole });
  if (version < RECORD_VERSION) return { type: 'version_1', stored: type, body };
  throw corrupt(`its ${fault} is not what a record of type ${type} holds`);
}

/** The record of an event that is not a mark. */
export function recordOfEvent<Event extends DurableEventBody>(
  event: Event,
): RecordOf<Exclude<Event['type'], MarkType>>;
export function recordOfEvent({ type, ...body }: DurableEventBody): object {
  return { type, body };
}

/** The clients' view of a visible record that is not an entry of the conversation, or is a mark. */
export function eventOfRecord(record: LogRecord): DurableEventBody;
export function eventOfRecord(record: LogRecord): object {
  return { ...record.body, type: record.type === 'version_1' ? record.stored : record.type };
}

/**
 * The same record with redacted words. A field whose redacted value would not fit its type stays
 * unchanged: the protocol's own words are not secret.
 */
export function reworded<Record extends NewLogRecord>(record: Record, body: object): Record;
export function reworded(record: NewLogRecord, body: object): object {
  const after = new Map<string, unknown>(Object.entries(body));
  const wrong = (FIELDS.get(record.type) ?? []).filter(([name, check]) => !check(after.get(name)));
  if (wrong.length === 0) return { ...record, body };
  const before = new Map<string, unknown>(Object.entries(record.body));
  for (const [name] of wrong) after.set(name, before.get(name));
  return { ...record, body: Object.fromEntries(after) };
}

/** The only step from an earlier form to the one of `RECORD_VERSION`. */
function raised({ type, version, entry }: Stored, fields: Fields, body: JsonObject): JsonObject {
  if (type === 'action_started' && version < RECORD_VERSION) return { ...body, intents: 'none' };
  // Early records of version 2 have null for "before the first entry".
  if (type === 'leaf_moved') return { ...body, from: body['from'] ?? '', to: body['to'] ?? '' };
  if (type === 'input_accepted') return raisedInput(fields, body);
  return entry === null ? body : raisedEntry(type, fields, body);
}

/** An unknown value of a message gets the meaning with the least effect. */
function raisedInput(fields: Fields, body: JsonObject): JsonObject {
  const { options, ...input } = body;
  if (!isObject(options)) return body;
  const { dryRun } = options;
  const isUnclear = dryRun !== undefined && typeof dryRun !== 'boolean';
  const least = { ...fitting(OPTIONS, options), ...(isUnclear ? { dryRun: true } : {}) };
  return { ...fitting(fields, input), options: least };
}

/**
 * An entry may come from a hand-written file, or be made of a message alone: missing fields are
 * taken from the message, invalid optional ones are left out.
 */
function raisedEntry(type: string, fields: Fields, body: JsonObject): JsonObject {
  const message = isObject(body['message']) ? body['message'] : {};
  const tool = isObject(message['tool']) ? message['tool'] : {};
  const { callId = '', name = '', isError = false } = tool;
  const said: JsonObject =
    type === 'tool_output'
      ? { call: callId, tool: name, isError }
      : { role: 'assistant' in message ? 'assistant' : 'user' };
  const whole = isMarkType(type) ? body : { ...said, ...body };
  return fitting(fields, whole);
}

/** A body without its invalid optional fields. */
function fitting(fields: Fields, body: JsonObject): JsonObject {
  const wrong = fields
    .filter(([name, check]) => !check(body[name]) && check(undefined))
    .map(([name]) => name);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !wrong.includes(name)));
}

function parseBody(text: string): JsonObject {
  let body: JsonValue;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw corrupt('its body is not JSON', error);
  }
  if (!isObject(body)) throw corrupt('its body is not an object');
  return body;
}

/** For a record with checked fields. */
function known(record: { readonly type: string; readonly body: JsonObject }): NewLogRecord;
function known(record: object): object {
  return record;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function corrupt(why: string, cause?: unknown): BulkheadError {
  return new BulkheadError('store_corrupt', why, { cause });
}

function later(why: string): BulkheadError {
  return new BulkheadError('not_available', `it ${why}`, {
    fix: 'Use the newer version of Bulkhead that wrote it.',
  });
}
