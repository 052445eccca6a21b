import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { DurableEventBody, SessionEvent } from '@bulkhead/protocol';
import { type SessionSummary, SessionSummarySchema } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { summariesAfter, withNewest } from './session-summaries.ts';

const timeOf = (second: number): string => new Date(1_700_000_000_000 + second * 1_000).toISOString();
const session = (
  sessionId: string,
  second: number,
  more: MessageInitShape<typeof SessionSummarySchema> = {},
): SessionSummary => create(SessionSummarySchema, { sessionId, updatedAt: timeOf(second), ...more });
const event = (id: string, second: number, body: DurableEventBody): SessionEvent => ({
  seq: 1,
  time: timeOf(second),
  session: id,
  turn: 'r',
  ...body,
});
const ids = (list: readonly SessionSummary[] | undefined) => list?.map(({ sessionId }) => sessionId);

describe('a list of sessions after an event', () => {
  const list = [session('b', 2), session('a', 1, { messages: 4 })];

  it('has the session first, and what the event says of it [I3]', () => {
    const titled = summariesAfter(list, event('a', 3, { type: 'session_title', title: 'Tulips' }));
    expect(titled?.[0]).toMatchObject({ sessionId: 'a', title: 'Tulips', updatedAt: timeOf(3), messages: 4 });
    expect(ids(titled)).toEqual(['a', 'b']);
    const said = summariesAfter(list, event('a', 3, { type: 'message_end', role: 'user', text: 'x' }));
    expect(said?.[0]).toMatchObject({ sessionId: 'a', messages: 5 });
    const late = event('b', 1, { type: 'message_end', role: 'user', text: 'x' });
    expect(summariesAfter(list, late)).toBe(list);
    const failed = { type: 'message_end', role: 'assistant', text: '', stopReason: 'error' } as const;
    expect(summariesAfter(list, event('a', 3, failed))).toBe(list);
  });

  it('is asked for only if a run is of a session that it does not have', () => {
    const begun = { type: 'agent_start', message: 'm' } as const;
    expect(summariesAfter(list, event('new', 3, begun))).toBeUndefined();
    expect(ids(summariesAfter(list, event('a', 3, begun)))).toEqual(['a', 'b']);
    expect(summariesAfter(list, event('new', 3, { type: 'idle' }))).toBe(list);
  });
});

describe('a list of sessions with the newest as they were read', () => {
  const known = [session('d', 4), session('c', 3), session('b', 2), session('a', 1)];

  it('keeps what is older than those, and drops what should be among them', () => {
    expect(ids(withNewest(known, [session('e', 5), session('d', 4), session('b', 2)], 3))).toEqual([
      'e',
      'd',
      'b',
      'a',
    ]);
    expect(ids(withNewest(known, [session('d', 4), session('c', 3)], 2))).toEqual(['d', 'c', 'b', 'a']);
  });

  it('has no others if all were read', () => {
    expect(ids(withNewest(known, [session('d', 4)], 2))).toEqual(['d']);
    expect(withNewest(known, [], 2)).toEqual([]);
  });

  it('keeps the news of an event that came before the answer', () => {
    const told = [session('d', 9, { title: 'new' })];
    expect(withNewest(told, [session('d', 4)], 2)[0]).toMatchObject({ title: 'new', updatedAt: timeOf(9) });
  });
});
