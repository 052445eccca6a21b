import type { Action, Verdict } from '@bulkhead/protocol';
import { expect, it } from 'vitest';
import { answeredRule, grantOf } from './answered-rule.ts';

const VERDICT: Verdict = { decision: 'escalate', tier: 0, rule: 'asks', reason: 'ask', confidence: 1 };

function writeBy(sender: string): Action {
  return {
    id: 'a',
    hash: 'h',
    canonical: '{}',
    tool: 'write',
    arguments: { path: 'a' },
    sessionId: 's',
    runId: 'r',
    callId: 'c',
    time: '2026-11-24T00:00:00.000Z',
    metadata: {
      workingFolder: '/w',
      paths: [{ path: '/w/a', access: 'write' }],
      group: 'files',
      effect: 'once',
    },
    origin: { channel: 'api', sender: { id: sender }, profile: 'default' },
  };
}

it('binds an answer for the session to the sender whose action it was [A6]', () => {
  expect(grantOf(writeBy('owner'), VERDICT, undefined)).toBe(grantOf(writeBy('owner'), VERDICT, undefined));
  expect(grantOf(writeBy('owner'), VERDICT, undefined)).not.toBe(grantOf(writeBy('p1'), VERDICT, undefined));
});

it('makes a permanent answer a rule for that sender alone [A6]', () => {
  expect(answeredRule(writeBy('owner'))?.match).toMatchObject({ tool: 'write', sender: 'owner' });
});
