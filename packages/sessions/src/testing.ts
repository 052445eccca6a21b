import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';
import type { InputBody, MarkType, ModelCallBody, RecordBody } from '@bulkhead/protocol/records';
import { messageBody } from './message-body.ts';
import type { NewRecord } from './session-store.ts';

/** An empty folder that is removed with its contents on dispose. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'bulkhead-sessions-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The code of the BulkheadError that `action` throws; fails if it throws none. */
export function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (BulkheadError.is(error)) return error.code;
    throw error;
  }
  throw new Error('nothing was thrown');
}

export function userMessage(text: string): Message {
  return create(MessageSchema, { role: { case: 'user', value: { text } } });
}

export function toolMessage(text: string): Message {
  return create(MessageSchema, { role: { case: 'tool', value: { callId: 'c1', name: 'read', text } } });
}

/** A record without a meaning for a store. */
export function plain(value: string, visible: boolean, time = 1000): NewRecord {
  return { time, turn: 'run-1', type: 'flow_trusted', visible, body: { value } };
}

/** Values that the compiler would refuse. */
export function malformed(record: NewRecord, wrong: object): NewRecord {
  return JSON.parse(JSON.stringify({ ...record, ...wrong }));
}

export function entry(id: string, parent: string | null, message = userMessage(id), time = 1000): NewRecord {
  const place = { time, turn: 'run-1', visible: false, entry: { id, parent } };
  const { role } = message;
  if (role.case === 'tool') {
    const { callId: call, name: tool, isError } = role.value;
    return { ...place, type: 'tool_output', body: { call, tool, isError, ...messageBody(message) } };
  }
  const said = role.case === 'assistant' ? 'assistant' : 'user';
  return { ...place, type: 'message_end', body: { role: said, ...messageBody(message) } };
}

export function assistantMessage(text: string): Message {
  const parts = [{ part: { case: 'text' as const, value: { text } } }];
  return create(MessageSchema, { role: { case: 'assistant', value: { parts } } });
}

/** An entry that is not a message. */
export function mark<Type extends MarkType>(
  type: Type,
  id: string,
  parent: string | null,
  body: RecordBody<Type>,
): NewRecord;
export function mark(type: string, id: string, parent: string | null, body: object): object {
  return { time: 1000, turn: '', type, visible: true, entry: { id, parent }, body };
}

/** One answered call of a model. */
export const CALL: ModelCallBody = {
  purpose: 'chat',
  model: 'vendor/one',
  ok: true,
  inputTokens: 10,
  outputTokens: 3,
  cachedInputTokens: 2,
  reasoningTokens: 1,
  cost: 0.5,
  estimated: false,
};

export function modelCall(time: number, body: Partial<ModelCallBody> = {}): NewRecord {
  return { time, turn: 'run-1', type: 'model_call', visible: true, body: { ...CALL, ...body } };
}

export function inputOf(content: string): InputBody {
  return { content, options: {} };
}

export function accepted(messageId: string, time = 1000): NewRecord {
  return {
    time,
    turn: '',
    type: 'input_accepted',
    visible: false,
    body: inputOf(`about ${messageId}`),
    messageId,
  };
}

export function settled(messageId: string): NewRecord {
  return {
    time: 1000,
    turn: 'run-1',
    type: 'settled',
    visible: true,
    body: {
      message: messageId,
      outcome: 'completed',
      answer: '',
      usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
      cost: null,
      rounds: 1,
    },
    messageId,
  };
}
