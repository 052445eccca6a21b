import type { DurableEventBody } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import {
  eventOfRecord,
  isMessage,
  type MarkType,
  type NewLogRecord,
  type RecordOf,
  recordOfEvent,
} from '@bulkhead/protocol/records';
import { messageBody, type NewRecord, readMessage, type StoredRecord } from '@bulkhead/sessions';
import { textOf, thinkingOf } from './message-view.ts';

/** A record that clients see as the event `body`. */
export function eventRecord(time: number, turn: string, event: DurableEventBody): NewRecord {
  const messageId = event.type === 'settled' ? { messageId: event.message } : {};
  return { time, turn, visible: true, ...recordOfEvent(event), ...messageId };
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
  const place = { time, turn, visible: true, entry };
  if (event.type === 'message_end') {
    const { type, ...body } = event;
    return { ...place, type, body: { ...body, ...messageBody(message) } };
  }
  const { type, ...body } = event;
  return { ...place, type, body: { ...body, ...messageBody(message) } };
}

/** Marks that clients receive. */
const TOLD_MARKS: ReadonlySet<MarkType> = new Set(['session_title', 'label']);

/** An entry that is no message. */
export function markRecord(
  time: number,
  entry: { readonly id: string; readonly parent: string | null },
  mark: RecordOf<MarkType>,
  turn = '',
): NewRecord {
  return { time, turn, visible: TOLD_MARKS.has(mark.type), entry, ...mark };
}

/** A fact of the log that no client sees. */
export function noteRecord(time: number, turn: string, note: NewLogRecord, messageId?: string): NewRecord {
  return { time, turn, visible: false, ...note, ...(messageId === undefined ? {} : { messageId }) };
}

/**
 * The event that a client receives for a visible record.
 *
 * @throws BulkheadError `store_corrupt` if the record's message can't be read
 */
export function eventBodyOf(record: StoredRecord): DurableEventBody {
  if (record.type === 'label') return { ...record.body, entry: record.parent ?? '', type: record.type };
  if (record.entry === null || !isMessage(record)) return eventOfRecord(record);
  const message = readMessage(record.body);
  const thinking = thinkingOf(message);
  const said = { text: textOf(message), ...(thinking === '' ? {} : { thinking }) };
  if (record.type === 'message_end') {
    const { message: _stored, ...body } = record.body;
    return { ...body, type: record.type, entry: record.entry, ...said };
  }
  if (record.type === 'version_1') {
    const { message: _stored, ...body } = record.body;
    return { ...eventOfRecord({ ...record, body }), ...said };
  }
  const { message: _stored, ...body } = record.body;
  return { ...body, type: record.type, ...said };
}
