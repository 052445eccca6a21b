import { create } from '@bufbuild/protobuf';
import type { Redaction } from '@bulkhead/protocol';
import {
  type Attachment,
  AttachmentSchema,
  type Message,
  MessageSchema,
  ToolMessageSchema,
} from '@bulkhead/protocol/chat';
import { isMark, isMessage, reworded } from '@bulkhead/protocol/records';
import type { NewRecord } from '@bulkhead/sessions';
import { redactAnswer } from './redact-answer.ts';
import { redactValue } from './redact-value.ts';

/**
 * A record as the log keeps it. Messages have been seen to by `redactMessage`; notes that no client sees are exact, since the
 * engine goes on by them: what a person sent, what an action will change.
 */
export function redactRecord(record: NewRecord, redaction: Redaction): NewRecord {
  const isRead = isMessage(record) && record.entry !== undefined;
  if (isRead || (!record.visible && !isMark(record))) return record;
  return reworded(record, redactValue(record.body, redaction));
}

/** A message as the log keeps it: what model and tools said holds no secret, a person's words are their own. */
export function redactMessage(message: Message, redaction: Redaction): Message {
  const { role } = message;
  switch (role.case) {
    case 'assistant':
      return create(MessageSchema, {
        role: { case: 'assistant', value: redactAnswer(role.value, redaction) },
      });
    case 'tool': {
      const { callId, isError, ownWords } = role.value;
      const [name, text] = [redaction.redact(role.value.name), redaction.redact(role.value.text)];
      const value = create(ToolMessageSchema, { callId, name, text, isError, ownWords });
      return create(MessageSchema, { role: { case: 'tool', value } });
    }
    default:
      return message;
  }
}

/** A person's words are their own; what is in files that go with them is not. */
export function redactAttachment({ name, text }: Attachment, { redact }: Redaction): Attachment {
  return create(AttachmentSchema, { name: redact(name), text: redact(text) });
}
