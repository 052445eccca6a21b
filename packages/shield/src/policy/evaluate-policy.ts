import type { Action, Verdict } from '@bulkhead/protocol';
import { explainPolicy } from './explain-policy.ts';
import type { Policy } from './policy.ts';
import type { PolicyFacts } from './policy-case.ts';

/**
 * Returns the first matching rule's decision; undefined if none matches, or if it leaves the
 * decision to a later tier. An action that can't be judged is blocked by the rule `policy-error`.
 */
export function evaluatePolicy(policy: Policy, action: Action, facts: PolicyFacts = {}): Verdict | undefined {
  return explainPolicy(policy, action, facts).verdict;
}
