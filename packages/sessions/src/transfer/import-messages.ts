import { BulkheadError } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import { messageBody } from '../message-body.ts';
import type { FirstRecords, NewRecord, SessionInfo, SessionStore } from '../session-store.ts';
import { type FileRecord, foreignRecord } from './foreign-body.ts';
import type { ImportOptions } from './import-jsonl.ts';
import { importedNote } from './imported-note.ts';

/**
 * Makes a session of messages from a client: its record of the earlier conversation. All of them are
 * foreign, whatever they claim.
 *
 * @throws BulkheadError `usage` for a message without a role
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
    const entry: { readonly id: string; readonly parent: string | null } = { id: ids(), parent: leaf };
    records.push({ time, turn: '', visible: false, entry, ...foreignRecord(recordOf(message), false) });
    leaf = entry.id;
  }
  const log = [...first, importedNote(time, first.length + 1 + records.length), ...records];
  return store.createSession(
    { id, workingFolder, time },
    { records: log, title: '', leaf, ...(also === undefined ? {} : { also }) },
  );
}

function recordOf(message: Message): FileRecord {
  const { role } = message;
  if (role.case !== 'tool') {
    const body = { role: role.case === 'assistant' ? 'assistant' : 'user', ...messageBody(message) } as const;
    return { type: 'message_end', body };
  }
  const { callId: call, name: tool, isError } = role.value;
  return { type: 'tool_output', body: { call, tool, isError, ...messageBody(message) } };
}
