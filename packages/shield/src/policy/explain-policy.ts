import { type Action, describeError, type Verdict } from '@bulkhead/protocol';
import type { GlobBudget } from '../patterns/match-glob.ts';
import {
  type AllowRule,
  POLICY_LISTS,
  type Policy,
  type PolicyList,
  type PolicyRule,
  type VerifyRule,
} from './policy.ts';
import type { PolicyFacts } from './policy-case.ts';
import { ruleFailure } from './rule-failure.ts';

/** The reasons for a policy's decision. */
export interface Explanation {
  /** Final. Undefined: no rule matched, or the matching rule defers to a later tier. */
  readonly verdict: Verdict | undefined;
  /** True if the verdict is a person's permanent approval: a block by the analysis overrides it. */
  readonly answered?: true;
  /** The rule that matched and leaves the decision to a later tier. */
  readonly handedOn?: HandedOn;
  /**
   * Rules evaluated before the deciding one, in order, each with its first condition that did not
   * hold.
   */
  readonly passed: readonly PassedRule[];
}

export interface HandedOn {
  readonly list: 'verify' | 'allow';
  readonly rule: string;
  readonly reason: string;
  /** The first tier whose allow is final [H5]. */
  readonly minTier: 1 | 2;
}

export interface PassedRule {
  readonly list: PolicyList;
  readonly rule: string;
  readonly because: string;
}

/** Steps of pattern matching per judgement: some milliseconds. Exceeding it blocks. */
const BUDGET_STEPS = 1_000_000;

/**
 * As `evaluatePolicy`, with its explanation. Never throws: an action that can't be judged is
 * blocked.
 */
export function explainPolicy(policy: Policy, action: Action, facts: PolicyFacts = {}): Explanation {
  const budget: GlobBudget = { steps: BUDGET_STEPS };
  const passed: PassedRule[] = [];
  for (const list of POLICY_LISTS) {
    for (const rule of policy[list]) {
      const because = failureOrFault(() => ruleFailure(list, rule.match, { action, facts }, budget));
      if (typeof because === 'object') return { verdict: blocked(rule.name, because.fault), passed };
      if (because === undefined) return { ...rulingOf(list, rule), passed };
      passed.push({ list, rule: rule.name, because });
    }
  }
  return { verdict: undefined, passed };
}

/** Returns the decision of a matching rule. */
function rulingOf(
  list: PolicyList,
  rule: PolicyRule & Partial<Pick<AllowRule, 'minTier'> & Pick<VerifyRule, 'by'>>,
): Omit<Explanation, 'passed'> {
  const { name, reason, minTier = 0, by = 'human' } = rule;
  const decide = (decision: Verdict['decision']) => ({
    verdict: { decision, tier: 0 as const, rule: name, reason, confidence: 1 },
  });
  const handOn = (from: HandedOn['list'], tier: HandedOn['minTier']) => ({
    verdict: undefined,
    handedOn: { list: from, rule: name, reason, minTier: tier },
  });
  switch (list) {
    case 'deny':
      return decide('block');
    case 'answered':
      return { ...decide('allow'), answered: true };
    case 'verify':
      return by === 'human' ? decide('escalate') : handOn(list, by === 'analysis' ? 1 : 2);
    case 'allow':
      return minTier === 0 ? decide('allow') : handOn(list, minTier);
  }
}

function failureOrFault(ask: () => string | undefined): string | undefined | { readonly fault: string } {
  try {
    return ask();
  } catch (error) {
    return { fault: describeError(error) };
  }
}

function blocked(rule: string, why: string): Verdict {
  const reason = `rule ${rule} could not be judged: ${why}`;
  return { decision: 'block', tier: 0, rule: 'policy-error', reason, confidence: 1 };
}
