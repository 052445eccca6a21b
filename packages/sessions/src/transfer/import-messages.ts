import { BulkheadError } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import { messageBody } from '../message-body.ts';
import type { FirstRecords, NewRecord, SessionInfo, SessionStore } from '../session-store.ts';
import { foreignBody } from './foreign-body.ts';
import type { ImportOptions } from './import-jsonl.ts';
import { importedNote } from './imported-note.ts';

/**
 * Makes a session of messages that somebody sent: what was said before, as they have it. Whatever they call themselves, they are foreign.
 *
 * @throws BulkheadError `usage` for a message of nobody's
 */
export function importMessages(
  store: SessionStore,
  messages: readonly Message[],
  { id, ids, workingFolder, time, first = [], also }: ImportOptions & Pick<FirstRecords, 'also'>,
): SessionInfo {
  let leaf: string | null = null;
  const records: NewRecord[] = [];
  for (const message of messages) {
    if (message.role.case === undefined)
      throw new BulkheadError('usage', 'a message of the history says of nobody that it is theirs');
    const type = message.role.case === 'tool' ? 'tool_output' : 'message_end';
    const entry: { readonly id: string; readonly parent: string | null } = { id: ids(), parent: leaf };
    records.push({
      time,
      turn: '',
      type,
      visible: false,
      entry,
      body: foreignBody(type, messageBody(message), false),
    });
    leaf = entry.id;
  }
  const log = [...first, importedNote(time, first.length + 1 + records.length), ...records];
  return store.createSession(
    { id, workingFolder, time },
    { records: log, title: '', leaf, ...(also === undefined ? {} : { also }) },
  );
}
