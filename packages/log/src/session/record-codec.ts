import type { DurableEventBody } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import { MARK_TYPES, messageBody, type NewRecord, readMessage, type StoredRecord } from '@bulkhead/sessions';
import { textOf, thinkingOf } from './message-view.ts';

export type MarkType = (typeof MARK_TYPES)[number];

/** A record that clients see as the event `body`. */
export function eventRecord(time: number, turn: string, event: DurableEventBody): NewRecord {
  const { type, ...body } = event;
  const messageId = event.type === 'settled' ? { messageId: event.message } : {};
  return { time, turn, type, visible: true, body, ...messageId };
}

/** The events that are also entries of the conversation. Their text is that of the message, kept once. */
export type EntryEvent =
  | Omit<Extract<DurableEventBody, { type: 'message_end' }>, 'entry' | 'text' | 'thinking'>
  | Omit<Extract<DurableEventBody, { type: 'tool_output' }>, 'text'>;

export function entryRecord(
  time: number,
  turn: string,
  entry: { readonly id: string; readonly parent: string | null },
  event: EntryEvent,
  message: Message,
): NewRecord {
  const { type, ...body } = event;
  return { time, turn, type, visible: true, entry, body: { ...body, ...messageBody(message) } };
}

/** Marks that clients are told of. */
const TOLD_MARKS: ReadonlySet<MarkType> = new Set(['session_title', 'label']);

/** An entry that is no message. */
export function markRecord(
  time: number,
  entry: { readonly id: string; readonly parent: string | null },
  type: MarkType,
  body: NewRecord['body'],
  turn = '',
): NewRecord {
  return { time, turn, type, visible: TOLD_MARKS.has(type), entry, body };
}

/** A fact of the log that no client sees. */
export function noteRecord(
  time: number,
  turn: string,
  type: string,
  body: NewRecord['body'],
  messageId?: string,
): NewRecord {
  return { time, turn, type, visible: false, body, ...(messageId === undefined ? {} : { messageId }) };
}

/**
 * What a client sees of a visible record.
 *
 * @throws BulkheadError `store_corrupt` if the record's message can't be read
 */
export function eventBodyOf(record: StoredRecord): DurableEventBody {
  if (record.type === 'label') return asEvent({ ...record.body, entry: record.parent, type: record.type });
  if (record.entry === null || isMark(record.type)) return asEvent({ ...record.body, type: record.type });
  const { message: _stored, ...body } = record.body;
  const message = readMessage(record.body);
  const thinking = thinkingOf(message);
  return asEvent({
    ...body,
    type: record.type,
    ...(record.type === 'message_end' ? { entry: record.entry } : {}),
    text: textOf(message),
    ...(thinking === '' ? {} : { thinking }),
  });
}

function isMark(type: string): boolean {
  return MARK_TYPES.some((mark) => mark === type);
}

/** The log is written by the functions above only; the store checks the version of what it opens. */
function asEvent(body: object): DurableEventBody {
  return body as DurableEventBody;
}
