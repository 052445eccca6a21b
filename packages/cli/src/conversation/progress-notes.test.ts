import type { EventBody } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { ProgressNotes } from './progress-notes.ts';

const retry: EventBody = {
  type: 'retry_start',
  attempt: 1,
  maxAttempts: 3,
  delayMs: 0,
  code: 'overloaded',
  message: 'busy',
  model: 'p/m',
};
const ended = (success: boolean): EventBody => ({ type: 'retry_end', attempt: 1, success });
const delta: EventBody = { type: 'text_delta', text: 'x' };

function notes(...bodies: readonly EventBody[]): boolean[] {
  const progress = new ProgressNotes();
  return bodies.map((body) => {
    const note = progress.take({ seq: 1, time: 't', session: 's', turn: 'r', ...body });
    return note === 'the model answers again';
  });
}

describe('ProgressNotes', () => {
  it('says that the model answers again before the answer, once', () => {
    expect(notes(retry, delta, delta, ended(true))).toEqual([false, true, false, false]);
    expect(notes(retry, ended(true), delta)).toEqual([false, true, false]);
  });

  it('does not say it of an attempt that failed, or without one', () => {
    expect(notes(retry, ended(false), delta)).toEqual([false, false, false]);
    expect(notes(delta, ended(false))).toEqual([false, false]);
    const cut: EventBody = { type: 'message_end', role: 'assistant', text: '', stopReason: 'error' };
    expect(notes(retry, cut, ended(false))).toEqual([false, false, false]);
  });
});
