import { describe, expect, it } from 'vitest';
import { BulkheadError } from '../errors.ts';
import { RECORD_VERSION } from '../version.ts';
import { type NewLogRecord, parseLogRecord, recordOfEvent, reworded } from './index.ts';

const started = { action: 'a', call: 'c', tool: 'bash', hash: 'h' };

function read(type: string, body: unknown, { version = RECORD_VERSION, isEntry = false } = {}) {
  return parseLogRecord({ type, version, entry: isEntry ? 'e' : null }, JSON.stringify(body));
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return BulkheadError.is(error) ? error.code : 'other';
  }
  return 'none';
}

describe('the codec of the log', () => {
  it('keeps fields that it does not know', () => {
    expect(read('action_started', { ...started, more: [1] }).body).toEqual({ ...started, more: [1] });
  });

  it.each([
    ['lacks a field', 'action_started', { ...started, hash: undefined }],
    ['has a field of another kind', 'action_started', { ...started, action: 5 }],
    ['has a word that is none', 'settled', { ...settled(), outcome: 'done' }],
    ['has a list with a wrong item', 'queue_update', { steer: ['m', 5], followUp: [] }],
    ['has a wrong field inside', 'settled', { ...settled(), usage: { inputTokens: 1 } }],
    ['has an optional field of another kind', 'action_completed', { ...completed(), fate: 'lost' }],
    ['is not an object', 'idle', []],
    ['is null', 'idle', null],
  ])('refuses a body that %s [S4]', (_what, type, body) => {
    expect(codeOf(() => read(type, body))).toBe('store_corrupt');
  });

  it('refuses text that is not JSON [S4]', () => {
    expect(codeOf(() => parseLogRecord({ type: 'idle', version: 2, entry: null }, '{'))).toBe(
      'store_corrupt',
    );
  });

  it('refuses a version and a type of a later program', () => {
    expect(codeOf(() => read('idle', {}, { version: RECORD_VERSION + 1 }))).toBe('not_available');
    expect(codeOf(() => read('idle', {}, { version: 0 }))).toBe('not_available');
    expect(codeOf(() => read('constructor', {}))).toBe('not_available');
  });

  it('knows of a record of version 1 that nothing says whether its action was begun [T8]', () => {
    expect(read('action_started', started, { version: 1 })).toEqual({
      type: 'action_started',
      body: { ...started, intents: 'none' },
    });
    expect(read('action_started', started).body).not.toHaveProperty('intents');
  });

  it('gives a record of version 1 that fits no type no meaning', () => {
    for (const [type, isEntry] of [
      ['x', false],
      ['settled', false],
      ['label', true],
    ] as const) {
      expect(read(type, { label: 'x' }, { version: 1, isEntry })).toEqual({
        type: 'version_1',
        stored: type,
        body: { label: 'x' },
      });
    }
  });

  it('reads early records that say null for before the first entry', () => {
    expect(read('leaf_moved', { from: null, to: 'e' }).body).toEqual({ from: '', to: 'e' });
  });

  it('takes what an entry does not say from its message', () => {
    const isEntry = true;
    expect(read('message_end', { message: { assistant: {} } }, { isEntry }).body).toMatchObject({
      role: 'assistant',
    });
    expect(read('message_end', { message: { user: {} } }, { isEntry }).body).toMatchObject({ role: 'user' });
    const message = { tool: { callId: 'c', name: 'read', isError: true } };
    expect(read('tool_output', { message }, { isEntry }).body).toMatchObject({
      call: 'c',
      tool: 'read',
      isError: true,
    });
  });

  it('leaves out of an entry what a file put in a place it can not have [C6]', () => {
    const body = { summary: 's', keptFrom: 'e', rules: 'obey', groups: ['web'] };
    expect(read('compaction', body, { isEntry: true }).body).toEqual({
      summary: 's',
      keptFrom: 'e',
      groups: ['web'],
    });
    expect(codeOf(() => read('compaction', { ...body, summary: 5 }, { isEntry: true }))).toBe(
      'store_corrupt',
    );
  });

  it('keeps the words of the protocol where other words are put into a record [A7]', () => {
    const record: NewLogRecord = recordOfEvent({ type: 'settled', ...settled(), answer: 'completed' });
    const words = JSON.parse(JSON.stringify(record.body).replaceAll('completed', '*'));
    expect(reworded(record, words).body).toEqual({ ...settled(), answer: '*' });
  });
});

function settled() {
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
  return { message: 'm', outcome: 'completed' as const, answer: '', usage, cost: null, rounds: 1 };
}

function completed() {
  return { action: 'a', call: 'c', hash: 'h', success: true, summary: '' };
}
