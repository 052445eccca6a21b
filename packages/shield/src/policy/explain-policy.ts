import { type Action, describeError, type Verdict } from '@bulkhead/protocol';
import type { GlobBudget } from './match-glob.ts';
import type { Policy, PolicyList } from './policy.ts';
import { ruleFailure } from './rule-failure.ts';

/** Why a policy says what it says. */
export interface Explanation {
  /** Undefined: no rule matched. */
  readonly verdict: Verdict | undefined;
  /** Rules asked before the one that decided, in order, each with the first condition that did not hold. */
  readonly passed: readonly PassedRule[];
}

export interface PassedRule {
  readonly list: PolicyList;
  readonly rule: string;
  readonly because: string;
}

const LISTS = ['deny', 'verify', 'allow'] as const;
const DECISIONS = { deny: 'block', verify: 'escalate', allow: 'allow' } as const;

/** Steps of pattern matching per judgement: some milliseconds. More is a block. */
const BUDGET_STEPS = 1_000_000;

/** As `evaluatePolicy`, with the way there. Never throws: what can't be judged is blocked. */
export function explainPolicy(policy: Policy, action: Action): Explanation {
  const budget: GlobBudget = { steps: BUDGET_STEPS };
  const passed: PassedRule[] = [];
  for (const list of LISTS) {
    for (const rule of policy[list]) {
      const because = failureOrFault(() => ruleFailure(list, rule.match, action, budget));
      if (typeof because === 'object') return { verdict: blocked(rule.name, because.fault), passed };
      if (because === undefined) {
        const verdict: Verdict = {
          decision: DECISIONS[list],
          tier: 0,
          rule: rule.name,
          reason: rule.reason,
          confidence: 1,
        };
        return { verdict, passed };
      }
      passed.push({ list, rule: rule.name, because });
    }
  }
  return { verdict: undefined, passed };
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
