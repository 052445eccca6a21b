import type { ActionMetadata, Verdict } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { questionReason } from './summary-of.ts';

const verdict: Verdict = {
  decision: 'escalate',
  tier: 0,
  rule: 'no-match',
  reason: 'no rule matches',
  confidence: 1,
};
const metadata = (group: string): ActionMetadata => ({
  workingFolder: '/w',
  paths: [],
  group,
  effect: 'once',
});
const plan = (isError: boolean) => async () => ({
  text: 'It would send GET https://a.example/.',
  isError,
  changes: [],
});

describe('why a person is asked', () => {
  it('says of what goes out what leaves, where to, and that it can not be taken back, besides the rule [FG6]', async () => {
    expect(await questionReason({ metadata: metadata('web') }, verdict, plan(false))).toMatch(
      /^It would send GET https:\/\/a\.example\/\. Its .* leave this machine, which can not be undone;.*\(no rule matches\)$/,
    );
  });

  it('is the verdict’s own reason for all else, and where the call is no valid one', async () => {
    expect(await questionReason({ metadata: metadata('web') }, verdict, plan(true))).toBe('no rule matches');
    const notAsked = () => Promise.reject(new Error('asked'));
    expect(await questionReason({ metadata: metadata('shell') }, verdict, notAsked)).toBe('no rule matches');
  });
});
