import type { Verdict } from '@bulkhead/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from './policy/parse-policy.ts';
import { createShield, type JudgeContext, notPresent, type ShieldTier } from './shield.ts';
import { actionOf, policyText, verdictOf } from './testing.ts';

type Decision = Verdict['decision'];
/** A tier's answer: none, a decision, or absence of the tier. */
type Says = Decision | 'nothing' | 'absent';

/** The matching policy rule: none, or the tier to which it defers. */
const RULES = {
  none: policyText('allow', '{ tool: other }'),
  deny: policyText('deny', '{ tool: bash }'),
  human: policyText('verify', '{ tool: bash }'),
  analysis: policyText('verify', '{ tool: bash }').replace('human', 'analysis'),
  evaluator: policyText('verify', '{ tool: bash }').replace('human', 'evaluator'),
  allow0: policyText('allow', '{ tool: bash }'),
  allow1: policyText('allow', '{ tool: bash }, minTier: 1'),
  allow2: policyText('allow', '{ tool: bash }, minTier: 2'),
};
type Rule = keyof typeof RULES;

function tier(number: 1 | 2, says: Says, seen: JudgeContext[] = []): ShieldTier {
  if (says === 'absent') return notPresent(`tier ${number}`);
  return {
    present: true,
    name: `tier ${number}`,
    judge: async (_action, context) => {
      seen.push(context);
      return says === 'nothing' ? undefined : verdictOf(says, number);
    },
  };
}

function judge(rule: Rule, first: Says, second: Says, seen: JudgeContext[] = []): Promise<Verdict> {
  const policy = parsePolicy(RULES[rule], 'p');
  const shield = createShield({
    policy: () => policy,
    analysis: tier(1, first),
    evaluator: tier(2, second, seen),
  });
  return shield.judge(actionOf('bash'), { request: 'go' }, new AbortController().signal);
}

describe('falling through the tiers', () => {
  it.each<[Rule, Says, Says, Decision, Verdict['tier']]>([
    ['deny', 'allow', 'allow', 'block', 0],
    ['human', 'allow', 'allow', 'escalate', 0],
    ['allow0', 'block', 'block', 'allow', 0],
    ['allow1', 'allow', 'block', 'allow', 1],
    ['allow1', 'block', 'allow', 'block', 1],
    ['allow1', 'nothing', 'allow', 'allow', 2],
    ['allow1', 'nothing', 'absent', 'escalate', 0],
    ['allow1', 'absent', 'absent', 'escalate', 0],
    ['allow2', 'allow', 'allow', 'allow', 2],
    ['allow2', 'allow', 'absent', 'escalate', 0],
    ['allow2', 'allow', 'nothing', 'escalate', 0],
    ['allow2', 'block', 'allow', 'block', 1],
    ['analysis', 'allow', 'absent', 'allow', 1],
    ['analysis', 'escalate', 'absent', 'escalate', 1],
    ['analysis', 'escalate', 'allow', 'allow', 2],
    ['analysis', 'escalate', 'escalate', 'escalate', 2],
    ['evaluator', 'allow', 'absent', 'escalate', 0],
    ['evaluator', 'block', 'allow', 'block', 1],
    ['evaluator', 'nothing', 'escalate', 'escalate', 2],
    ['none', 'allow', 'block', 'allow', 1],
    ['none', 'nothing', 'block', 'block', 2],
    ['none', 'absent', 'absent', 'escalate', 0],
  ])('rule %s, analysis says %s, evaluator %s: %s by tier %i [H5]', async (...row) => {
    const [rule, first, second, decision, of] = row;
    expect(await judge(rule, first, second)).toMatchObject({ decision, tier: of });
  });

  it('allows only what a tier of at least minTier allowed, and nothing that one blocked [H5] [A3]', async () => {
    const says = fc.constantFrom<Says>('allow', 'block', 'escalate', 'nothing', 'absent');
    const minTier: Readonly<Record<Rule, number>> = {
      none: 1,
      deny: 9,
      human: 9,
      analysis: 1,
      evaluator: 2,
      allow0: 0,
      allow1: 1,
      allow2: 2,
    };
    const rule = fc.constantFrom<Rule>(
      ...(['none', 'deny', 'human', 'analysis'] as const),
      'evaluator',
      'allow0',
      'allow1',
      'allow2',
    );
    await fc.assert(
      fc.asyncProperty(rule, says, says, async (matching, first, second) => {
        const verdict = await judge(matching, first, second);
        if (verdict.decision !== 'allow') return;
        expect(verdict.tier).toBeGreaterThanOrEqual(minTier[matching]);
        expect([undefined, first, second][verdict.tier] ?? 'allow').toBe('allow');
        if (verdict.tier === 2) expect(first).not.toBe('block');
      }),
      { numRuns: 400 },
    );
  });

  it('names the rule that asked for another tier, and the tier that is missing [H5]', async () => {
    expect(await judge('allow1', 'absent', 'absent')).toEqual({
      decision: 'escalate',
      tier: 0,
      rule: 'only',
      reason: 'because; no analysis has allowed it; not present: tier 1, tier 2',
      confidence: 1,
    });
  });

  it.each<[Says, Decision, Verdict['tier']]>([
    ['absent', 'allow', 0],
    ['escalate', 'allow', 0],
    ['block', 'block', 1],
  ])('a standing yes of a person, with an analysis that says %s: %s by tier %i [A6] [H5]', async (...row) => {
    const [first, decision, of] = row;
    const human = parsePolicy(RULES.human, 'p');
    const policy = { ...human, answered: parsePolicy(RULES.allow0, 'p').allow };
    const shield = createShield({
      policy: () => policy,
      analysis: tier(1, first),
      evaluator: tier(2, 'block'),
    });
    const verdict = await shield.judge(actionOf('bash'), { request: 'go' }, new AbortController().signal);
    expect(verdict).toMatchObject({ decision, tier: of });
  });

  it('tells the evaluator what the analysis found [H5]', async () => {
    const seen: JudgeContext[] = [];
    await judge('none', 'escalate', 'allow', seen);
    await judge('none', 'nothing', 'allow', seen);
    expect(seen).toEqual([{ request: 'go', doubt: verdictOf('escalate', 1) }, { request: 'go' }]);
  });
});
