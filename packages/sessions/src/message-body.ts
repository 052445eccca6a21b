import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';

/** The part of an entry's body that holds its message: spread it into the body. */
export function messageBody(message: Message): { readonly message: JsonValue } {
  return { message: toJson(MessageSchema, message) };
}

/**
 * The message in an entry's body. Strict: an unknown field is an error, for it would be lost.
 * @throws BulkheadError `store_corrupt`
 */
export function readMessage({ message: stored }: { readonly message?: JsonValue }): Message {
  if (stored === undefined) throw new BulkheadError('store_corrupt', 'the body of an entry holds no message');
  let message: Message;
  try {
    message = fromJson(MessageSchema, stored);
  } catch (error) {
    throw new BulkheadError(
      'store_corrupt',
      `the message of an entry is malformed: ${describeError(error)}`,
      {
        cause: error,
      },
    );
  }
  if (message.role.case === undefined) {
    throw new BulkheadError('store_corrupt', 'the message of an entry has no role');
  }
  return message;
}
