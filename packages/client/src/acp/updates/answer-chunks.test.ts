import type { EventBody, SessionEvent } from '@bulkhead/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { AnswerChunks } from './answer-chunks.ts';

const event = (body: EventBody): SessionEvent => ({ seq: 1, time: '', session: 's', turn: 't', ...body });
const delta = (text: string) => event({ type: 'text_delta', text });
const end = (text: string, thinking?: string) =>
  event({ type: 'message_end', role: 'assistant', text, ...(thinking === undefined ? {} : { thinking }) });

describe('an answer in pieces', () => {
  let chunks: AnswerChunks;
  let messages: Map<string, string>;

  beforeEach(() => {
    let made = 0;
    chunks = new AnswerChunks(() => `m${++made}`);
    messages = new Map();
  });

  function take(...events: readonly SessionEvent[]): readonly string[] {
    for (const update of events.flatMap((one) => chunks.take(one))) {
      if (!('messageId' in update) || !('content' in update)) throw new Error('no chunk');
      const key = `${update.sessionUpdate} ${update.messageId}`;
      const text = 'text' in update.content ? update.content.text : '';
      messages.set(key, `${messages.get(key) ?? ''}${text}`);
    }
    return [...messages.values()];
  }

  it('comes whole and once where all of it, some of it or nothing of it streamed [I4]', () => {
    expect(take(delta('a'), delta('b'), end('ab'))).toEqual(['ab']);
    expect(take(delta('c'), end('cd'), end('e', 'thought'))).toEqual(['ab', 'cd', 'thought', 'e']);
  });

  it('begins anew after a broken attempt, or where something else was said than it ends with', () => {
    const retry = { attempt: 1, maxAttempts: 3, delayMs: 0, code: 'x', message: 'x', model: 'm' };
    expect(take(delta('bro'), event({ type: 'retry_start', ...retry }), delta('who'), end('whole'))).toEqual([
      'bro',
      'whole',
    ]);
    expect(take(delta('one'), end('two'))).toEqual(['bro', 'whole', 'one', 'two']);
  });

  it('leaves what the person said alone', () => {
    expect(take(event({ type: 'message_end', role: 'user', text: 'hi' }))).toEqual([]);
  });
});
