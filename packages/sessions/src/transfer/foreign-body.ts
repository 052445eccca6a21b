import type { JsonObject } from '@bufbuild/protobuf';
import { FOREIGN, RULES_MARK } from '../conversation-view.ts';
import { messageBody, readMessage } from '../message-body.ts';

/** Types of entries that hold a message. Whatever else a file calls its entries would mean something to the engine. */
export const MESSAGE_TYPES: readonly string[] = ['message_end', 'tool_output'];

/** What a file's mark of pinned rules is called in the session made of it: it means nothing to anybody. */
const FOREIGN_RULES = 'imported_pin';

/**
 * The body of an entry as it may stand in an imported session. Anybody can write a file, so nothing of it speaks for the engine or for
 * the person: no result is the engine's own words, no rule is pinned, no words are asked. What was there stays readable under
 * another name.
 *
 * @param own the person says that the messages in their role are their own words
 * @throws BulkheadError `store_corrupt` for a message that is none
 */
export function foreignBody(type: string, body: JsonObject, own: boolean): JsonObject {
  if (MESSAGE_TYPES.includes(type)) return foreignMessage(body, own);
  if (type === 'custom' && body['name'] === RULES_MARK) return { ...body, name: FOREIGN_RULES };
  if (type !== 'compaction') return body;
  const { rules, asked, ...rest } = body;
  return {
    ...rest,
    ...(rules === undefined ? {} : { importedRules: rules }),
    ...(asked === undefined ? {} : { importedAsked: asked }),
  };
}

/** Asked of the message that is read, not of its text: JSON has more than one way to write a field. */
function foreignMessage(body: JsonObject, own: boolean): JsonObject {
  const message = readMessage(body);
  if (message.role.case === 'user' && !own) return { ...body, [FOREIGN]: true };
  if (message.role.case !== 'tool' || !message.role.value.ownWords) return body;
  message.role.value.ownWords = false;
  return { ...body, ...messageBody(message) };
}
