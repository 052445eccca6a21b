import { systemTimers } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { ApprovalDesk } from './approval-desk.ts';

function desk(timeoutMs = 10_000): ApprovalDesk {
  let next = 0;
  return new ApprovalDesk({
    timers: systemTimers,
    clock: { now: () => 1_000, monotonic: () => 0 },
    ids: () => {
      next += 1;
      return `approval-${next}`;
    },
    timeoutMs,
  });
}

const about = { sessionId: 's', hash: 'h' };
const never = new AbortController().signal;

describe('ApprovalDesk', () => {
  it('denies when nobody is there to ask [A6]', async () => {
    await expect(desk().request(about, 'deny', never).outcome).resolves.toEqual({
      decision: 'deny',
      by: 'nobody',
    });
  });

  it('takes one answer, for the session and hash it asked about [A6]', async () => {
    const approvals = desk();
    const { id, outcome } = approvals.request(about, 'ask', never);
    expect(approvals.decide(id, 'other session', 'h', 'allow')).toBe(false);
    expect(approvals.decide(id, 's', 'other hash', 'allow')).toBe(false);
    expect(approvals.decide(id, 's', 'h', 'allow')).toBe(true);
    expect(approvals.decide(id, 's', 'h', 'deny')).toBe(false);
    await expect(outcome).resolves.toEqual({ decision: 'allow', by: 'person' });
  });

  it('denies when time is up, and refuses the late answer [A6]', async () => {
    const approvals = desk(5);
    const { id, outcome } = approvals.request(about, 'ask', never);
    await expect(outcome).resolves.toEqual({ decision: 'deny', by: 'timeout' });
    expect(approvals.decide(id, 's', 'h', 'allow')).toBe(false);
  });

  it('denies when the run is cancelled, before or while asking', async () => {
    const approvals = desk();
    const controller = new AbortController();
    const open = approvals.request(about, 'ask', controller.signal);
    controller.abort();
    await expect(open.outcome).resolves.toEqual({ decision: 'deny', by: 'cancel' });
    await expect(approvals.request(about, 'ask', controller.signal).outcome).resolves.toEqual({
      decision: 'deny',
      by: 'cancel',
    });
  });
});
