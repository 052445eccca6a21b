import { describe, expect, it } from 'vitest';
import { parseEvent, parseEventHeader } from './parse-event.ts';

const line = (fields: Record<string, unknown>) =>
  JSON.stringify({ seq: 1, time: 't', session: 's', turn: 'r', ...fields });

const USAGE = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };

describe('parseEvent', () => {
  it('reads an event, whatever else it carries', () => {
    const event = parseEvent(line({ type: 'text_delta', text: 'hi', later: { any: 1 } }));
    expect(event).toMatchObject({ type: 'text_delta', text: 'hi' });
  });

  it.each([
    line({ type: 'text_delta' }),
    line({ type: 'text_delta', text: 5 }),
    line({ type: 'queue_update', steer: ['a'], followUp: [1] }),
    line({ type: 'queue_update', steer: ['a'], followUp: {} }),
    line({
      type: 'retry_start',
      attempt: 1,
      maxAttempts: 3,
      delayMs: '5',
      code: 'c',
      message: 'm',
      model: 'x',
    }),
    line({ type: 'message_end', role: 'assistant', text: 'x', usage: {} }),
    line({ type: 'message_end', role: 'assistant', text: 'x', entry: 7 }),
    line({ type: 'response_complete', text: 'x', thoughts: [null] }),
    line({ type: 'idle', session: 7 }),
    line({ type: 'brand_new' }),
    line({ type: 'constructor' }),
    line({}),
    'null',
    '[]',
    '{"type":',
  ])('takes nothing from %s', (json) => {
    expect(parseEvent(json)).toBeUndefined();
  });

  it.each([
    { type: 'retry_start', attempt: 1, maxAttempts: 3, delayMs: 5, code: 'c', message: 'm', model: 'x' },
    { type: 'retry_end', attempt: 1, success: true },
    { type: 'queue_update', steer: ['a'], followUp: [] },
    { type: 'state_change', from: 'idle', to: 'thinking' },
    { type: 'session_before_compact', reason: 'overflow', messages: 3 },
    { type: 'session_compact', entry: 'e' },
    { type: 'run_resumed', message: 'm', executed: 1, notExecuted: 0, unknown: 0 },
    { type: 'session_title', title: 't' },
    { type: 'label', entry: 'e', label: 'l' },
    { type: 'leaf_moved', from: 'e', to: '' },
    { type: 'response_complete', text: 't', thoughts: [{}] },
    { type: 'settled', message: 'm', outcome: 'completed', answer: 'a', usage: USAGE, cost: null, rounds: 1 },
  ])('knows $type, and takes nothing of it that lacks a field', (fields) => {
    expect(parseEvent(line(fields))).toMatchObject(fields);
    for (const name of Object.keys(fields)) {
      expect(parseEvent(line({ ...fields, [name]: undefined })), name).toBeUndefined();
    }
  });

  it('reads the header of events it does not know', () => {
    expect(parseEventHeader(line({ type: 'brand_new', message: 'm' }))).toEqual({
      type: 'brand_new',
      turn: 'r',
      message: 'm',
    });
    expect(parseEventHeader('7')).toEqual({ type: '', turn: '', message: '' });
  });
});
