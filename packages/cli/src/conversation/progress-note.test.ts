import type { EventBody, SessionEvent } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { progressNote } from './progress-notes.ts';

const event = (body: EventBody): SessionEvent => ({ seq: 1, time: 't', session: 's', turn: 'r', ...body });
const retry = { type: 'retry_start', code: 'overloaded', message: 'too busy\nnow', model: 'p/m' } as const;

describe('progressNote', () => {
  it.each<[EventBody, string | undefined]>([
    [
      { ...retry, attempt: 2, maxAttempts: 3, delayMs: 4_200 },
      'the model failed (overloaded): too busy now. Trying again in 4.2 s (retry 2 of 3, p/m)',
    ],
    [
      { ...retry, attempt: 1, maxAttempts: 3, delayMs: 0 },
      'the model failed (overloaded): too busy now. Trying again now (retry 1 of 3, p/m)',
    ],
    [
      { ...retry, attempt: 3, maxAttempts: 3, delayMs: 59_600 },
      'the model failed (overloaded): too busy now. Trying again in 60 s (retry 3 of 3, p/m)',
    ],
    [
      { ...retry, attempt: 4, maxAttempts: 3, delayMs: 1 },
      'the model failed (overloaded): too busy now. Trying again in 0.0 s (retry 4, p/m)',
    ],
    [
      { type: 'session_before_compact', reason: 'overflow', messages: 1 },
      'compacting the conversation (1 message)',
    ],
    [
      { type: 'run_resumed', message: 'm', executed: 1, notExecuted: 2, unknown: 3 },
      'the engine was stopped during this run, which continues now (actions left open: 1 done, 2 not done, 3 with unknown outcome)',
    ],
    [
      { type: 'run_resumed', message: 'm', executed: 0, notExecuted: 0, unknown: 1 },
      'the engine was stopped during this run, which continues now (actions left open: 1 with unknown outcome)',
    ],
    [
      { type: 'run_resumed', message: 'm', executed: 0, notExecuted: 0, unknown: 0 },
      'the engine was stopped during this run, which continues now',
    ],
    [{ type: 'state_change', from: 'idle', to: 'thinking' }, undefined],
    [{ type: 'save_point' }, undefined],
  ])('of %j', (body, note) => {
    expect(progressNote(event(body))).toBe(note);
  });
});
