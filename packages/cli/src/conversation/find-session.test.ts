import { create } from '@bufbuild/protobuf';
import { SessionSummarySchema } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { matchSession } from './find-session.ts';

const sessions = ['01ABCDEF', '01ABCDEG', '01ABXXXX', '01ABCDEFGH', 'root', 'rooting'].map((sessionId) =>
  create(SessionSummarySchema, { sessionId }),
);
const found = (given: string) => matchSession(given, sessions)?.sessionId;

describe('matchSession', () => {
  it('takes a whole id before any beginning', () => {
    expect(found('01ABCDEF')).toBe('01ABCDEF');
    expect(found('root')).toBe('root');
  });

  it('takes six characters or more, if only one session begins so', () => {
    expect(found('01ABXX')).toBe('01ABXXXX');
    expect(found('rootin')).toBe('rooting');
    expect(() => found('01ABX')).toThrow('too short');
    expect(found('01ABXY')).toBeUndefined();
  });

  it('names the sessions that begin so', () => {
    expect(() => found('01ABCD')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: '3 sessions could be 01ABCD: 01ABCDEF, 01ABCDEG, 01ABCDEFGH',
      }),
    );
    const many = Array.from({ length: 7 }, (_, index) =>
      create(SessionSummarySchema, { sessionId: `session-${index}` }),
    );
    expect(() => matchSession('session', many)).toThrow('session-4 and 2 more');
  });
});
