import type { Verdict } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from './policy/parse-policy.ts';
import { presetPolicies } from './policy/presets.ts';
import { createShield, notPresent, type PresentTier, type ShieldParts } from './shield.ts';
import { actionOf, policyText, verdictOf } from './testing.ts';

const never = new AbortController().signal;
const context = { request: 'do it' };
const strict = parsePolicy(presetPolicies.strict, 'strict');
const unknown = actionOf('mcp_x_y');
const absent = notPresent('model');

function tier(name: string, answer: () => Verdict | undefined): PresentTier & { calls: number } {
  return {
    present: true,
    name,
    calls: 0,
    async judge() {
      this.calls += 1;
      return answer();
    },
  };
}

function judge(parts: Partial<ShieldParts>, action = unknown, signal = never): Promise<Verdict> {
  const none = { analysis: notPresent('analysis'), evaluator: notPresent('evaluator') };
  return createShield({ policy: () => strict, ...none, ...parts }).judge(action, context, signal);
}

describe('the shield', () => {
  it('asks a person if no rule matches and no tier is there to decide [H5] [A3]', async () => {
    expect(await judge({})).toEqual({
      decision: 'escalate',
      tier: 0,
      rule: 'no-match',
      reason: 'no rule of policy strict matches; not present: analysis, evaluator',
      confidence: 1,
    });
  });

  it('names its tiers and their availability', () => {
    const shield = createShield({
      policy: () => strict,
      analysis: tier('rules', () => undefined),
      evaluator: notPresent('model'),
    });
    expect(shield.tiers).toEqual([
      { name: 'rules', present: true },
      { name: 'model', present: false },
    ]);
  });

  it('stops at the first tier that speaks [H5]', async () => {
    const evaluator = tier('model', () => verdictOf('allow', 2));
    const analysis = tier('rules', () => verdictOf('block', 1));
    expect(await judge({ analysis, evaluator }, actionOf('bash'))).toMatchObject({
      decision: 'escalate',
      rule: 'ask-before-command',
    });
    expect(analysis.calls).toBe(0);
    expect(await judge({ analysis, evaluator })).toMatchObject({ decision: 'block', tier: 1 });
    expect(evaluator.calls).toBe(0);
  });

  it('asks the next tier if one has nothing to say, and a person after the last [H5]', async () => {
    const silent = tier('rules', () => undefined);
    expect(
      await judge({ analysis: silent, evaluator: tier('model', () => verdictOf('allow', 2)) }),
    ).toMatchObject({
      decision: 'allow',
      tier: 2,
    });
    expect(await judge({ analysis: silent, evaluator: tier('model', () => undefined) })).toMatchObject({
      decision: 'escalate',
      rule: 'no-match',
    });
    expect(silent.calls).toBe(2);
  });

  it('blocks when anything fails [A4]', async () => {
    const fail = (): never => {
      throw new Error('broken');
    };
    const block = {
      decision: 'block',
      rule: 'shield-error',
      reason: 'the action could not be judged: broken',
    };
    expect(await judge({ policy: fail })).toMatchObject(block);
    expect(await judge({ analysis: tier('rules', fail) })).toMatchObject(block);
    expect(await judge({ evaluator: tier('model', fail) })).toMatchObject(block);
  });

  it('blocks on a verdict that is none, or of another tier [A4]', async () => {
    const odd = { ...verdictOf('allow', 2), decision: 'ALLOW' };
    const forged: PresentTier = {
      present: true,
      name: 'model',
      judge: async () => JSON.parse(JSON.stringify(odd)),
    };
    expect(await judge({ evaluator: forged })).toMatchObject({ decision: 'block', rule: 'shield-error' });
    const wrong = tier('rules', () => verdictOf('allow', 0));
    expect(await judge({ analysis: wrong })).toMatchObject({ decision: 'block', rule: 'shield-error' });
  });

  it('blocks once it is cancelled, whatever a tier says', async () => {
    const controller = new AbortController();
    const evaluator = tier('model', () => {
      controller.abort();
      return verdictOf('allow', 2);
    });
    expect(await judge({ evaluator }, unknown, controller.signal)).toMatchObject({ decision: 'block' });
  });

  it('keeps one policy for the whole of a judgement', async () => {
    let reads = 0;
    const policy = () => {
      reads += 1;
      return strict;
    };
    await judge({ policy, analysis: tier('rules', () => undefined) });
    expect(reads).toBe(1);
  });

  it('gives its policy the facts of the session [H1]', async () => {
    const policy = parsePolicy(policyText('allow', '{ channel: terminal, sessionMode: normal }'), 'p');
    const shield = createShield({ policy: () => policy, analysis: absent, evaluator: absent });
    const here = { ...context, channel: 'terminal', modes: ['normal'] as const };
    expect(await shield.judge(unknown, here, never)).toMatchObject({ decision: 'allow' });
    expect(await shield.judge(unknown, context, never)).toMatchObject({ decision: 'escalate' });
  });

  it('says which version of the policy was asked, also where it could not be judged [FT24]', async () => {
    const policy = () => ({ ...strict, digest: 'abc' });
    expect(await judge({ policy })).toMatchObject({ policy: 'abc' });
    const broken = tier('rules', () => {
      throw new Error('broken');
    });
    expect(await judge({ policy, analysis: broken })).toMatchObject({ decision: 'block', policy: 'abc' });
  });
});
