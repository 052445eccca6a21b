import type { JsonValue } from '@bufbuild/protobuf';
import type { MarkType, RecordOf } from '@bulkhead/protocol/records';
import { RULES_MARK } from '../conversation-view.ts';
import { messageBody, readMessage } from '../message-body.ts';

/** What an entry of a file can be. Whatever else a file calls its entries would mean something to the engine. */
export type FileRecord = RecordOf<MarkType | 'message_end' | 'tool_output'>;

/** What a file's mark of pinned rules is called in the session made of it: it means nothing to anybody. */
const FOREIGN_RULES = 'imported_pin';

/**
 * An entry as it may stand in an imported session. Anybody can write a file, so nothing of it speaks for the engine or for
 * the person: no result is the engine's own words, no rule is pinned, no words are asked. What was there stays readable under
 * another name.
 *
 * @param own the person says that the messages in their role are their own words
 * @throws BulkheadError `store_corrupt` for a message that is none
 */
export function foreignRecord(record: FileRecord, own: boolean): FileRecord {
  switch (record.type) {
    case 'message_end':
      return { ...record, body: { ...record.body, ...foreignPart(record.body, own) } };
    case 'tool_output':
      return { ...record, body: { ...record.body, ...foreignPart(record.body, own) } };
    case 'custom':
      return record.body.name === RULES_MARK
        ? { ...record, body: { ...record.body, name: FOREIGN_RULES } }
        : record;
    case 'compaction': {
      const { rules, asked, ...rest } = record.body;
      const kept = {
        ...(rules === undefined ? {} : { importedRules: rules }),
        ...(asked === undefined ? {} : { importedAsked: asked }),
      };
      return { ...record, body: { ...rest, ...kept } };
    }
    default:
      return record;
  }
}

/** Asked of the message that is read, not of its text: JSON has more than one way to write a field. */
function foreignPart(body: { readonly message?: JsonValue }, own: boolean) {
  const message = readMessage(body);
  if (message.role.case === 'user' && !own) return { foreign: true } as const;
  if (message.role.case !== 'tool' || !message.role.value.ownWords) return {};
  message.role.value.ownWords = false;
  return messageBody(message);
}
