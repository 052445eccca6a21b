import type { JsonValue } from '@bufbuild/protobuf';
import type { MarkType, RecordOf } from '@bulkhead/protocol/records';
import { RULES_MARK } from '../conversation-view.ts';
import { messageBody, readMessage } from '../message-body.ts';

/** The possible types of a file's entry. Other types would have a meaning for the engine. */
export type FileRecord = RecordOf<MarkType | 'message_end' | 'tool_output'>;

/** New name of a file's mark of pinned rules in the imported session: it has no effect. */
const FOREIGN_RULES = 'imported_pin';

/**
 * Converts an entry for an imported session. Anyone can write a file, so none of its content has
 * the authority of the engine or the user: no result is the engine's own words, no rule is pinned,
 * no words count as the user's, no message has an origin. The original stays readable under another name.
 *
 * @param own the user confirms that the messages in their role are their own words
 * @throws BulkheadError `store_corrupt` for an invalid message
 */
export function foreignRecord(record: FileRecord, own: boolean): FileRecord {
  switch (record.type) {
    case 'message_end': {
      const { origin, ...rest } = record.body;
      const claimed = origin === undefined ? {} : { importedOrigin: origin };
      return { ...record, body: { ...rest, ...claimed, ...foreignPart(record.body, own) } };
    }
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

/** Checks the parsed message, not its text: JSON has more than one way to write a field. */
function foreignPart(body: { readonly message?: JsonValue }, own: boolean) {
  const message = readMessage(body);
  if (message.role.case === 'user' && !own) return { foreign: true } as const;
  if (message.role.case !== 'tool' || !message.role.value.ownWords) return {};
  message.role.value.ownWords = false;
  return messageBody(message);
}
