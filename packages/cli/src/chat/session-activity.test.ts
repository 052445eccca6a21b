import type { EventBody } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { SessionActivity } from './session-activity.ts';

const settled = (message: string, outcome: 'completed' | 'merged' = 'completed'): EventBody => ({
  type: 'settled',
  message,
  outcome,
  answer: '',
  usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
  cost: null,
  rounds: 1,
});
const start = (message: string): EventBody => ({ type: 'agent_start', message });
const queue = (...followUp: string[]): EventBody => ({ type: 'queue_update', steer: [], followUp });

function busyAfter(...bodies: readonly EventBody[]): boolean[] {
  const activity = new SessionActivity();
  return bodies.map((body) => {
    activity.take({ seq: 1, time: 't', session: 's', turn: '', ...body });
    return activity.busy;
  });
}

describe('SessionActivity', () => {
  it('is busy from the start of a run to its end', () => {
    expect(busyAfter(start('a'), settled('a'))).toEqual([true, false]);
  });

  it('stays busy when a message joins the run', () => {
    expect(busyAfter(start('a'), settled('b', 'merged'), settled('a'))).toEqual([true, true, false]);
  });

  it('stays busy while something waits, until it is taken up or withdrawn', () => {
    expect(busyAfter(start('a'), queue('b', 'c'), settled('a'))).toEqual([true, true, true]);
    expect(busyAfter(start('a'), queue('b'), settled('a'), start('b'), settled('b')).at(-1)).toBe(false);
    expect(busyAfter(start('a'), queue('b'), settled('b'), settled('a')).at(-1)).toBe(false);
  });

  it('is at rest when the session says so', () => {
    expect(busyAfter(start('a'), queue('b'), { type: 'idle' }).at(-1)).toBe(false);
  });

  it('is busy with what was sent from here until that has an end', () => {
    const activity = new SessionActivity();
    activity.sent('a');
    expect(activity.busy).toBe(true);
    activity.take({ seq: 1, time: 't', session: 's', turn: '', type: 'idle' });
    expect(activity.busy).toBe(true);
    activity.notSent('a');
    expect(activity.busy).toBe(false);
  });
});
