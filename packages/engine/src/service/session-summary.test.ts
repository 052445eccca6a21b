import { createMemorySessionStore } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { findSession, sessionSummary } from './session-summary.ts';

/** More than any list of sessions holds. */
const MANY = 10_001;

describe('one session', () => {
  it('is found by its id or an unfinished one, whatever number of others came after it [I4] [S2]', () => {
    const store = createMemorySessionStore();
    for (let at = 0; at < MANY; at += 1) {
      store.createSession({ id: `01AB${String(at).padStart(6, '0')}`, workingFolder: '/w', time: at });
    }
    expect(store.listSessions(MANY - 1).some(({ id }) => id === '01AB000000')).toBe(false);
    expect(findSession(store, '01AB000000').createdAt).toBe(0);
    expect(findSession(store, '010000').id).toBe('01AB010000');
    expect(findSession(store, '01ab01000').createdAt).toBe(10_000);
  });

  it('reports whether it does not exist or could be several', () => {
    const store = createMemorySessionStore();
    for (const id of ['01ABCDEF1', '01ABCDEF2', '01ABCDEF']) {
      store.createSession({ id, workingFolder: '/w', time: 1 });
    }
    expect(findSession(store, '01ABCDEF').id).toBe('01ABCDEF');
    expect(() => findSession(store, '01NOTHERE')).toThrow(expect.objectContaining({ code: 'not_found' }));
    for (const given of ['01abcd', 'DEF1', '']) {
      expect(() => findSession(store, given)).toThrow(expect.objectContaining({ code: 'usage' }));
    }
  });

  it('names the session that it was forked from', () => {
    const origin = { session: 'o', entry: 'e' };
    const info = { id: 's', title: 't', workingFolder: '/w', createdAt: 0, updatedAt: 1_000, messages: 2 };
    const rest = { leaf: null, offTheRecord: true, origin, damage: '' };
    expect(sessionSummary({ ...info, ...rest })).toMatchObject({
      sessionId: 's',
      createdAt: '1970-01-01T00:00:00.000Z',
      updatedAt: '1970-01-01T00:00:01.000Z',
      originSession: 'o',
      originEntry: 'e',
      offTheRecord: true,
    });
  });
});
