import type { Action, Verdict } from '@bulkhead/protocol';
import { explainPolicy } from './explain-policy.ts';
import type { Policy } from './policy.ts';

/**
 * What the first matching rule says: deny before verify before allow; undefined if none matches. An
 * action that can't be judged is blocked by the rule `policy-error`.
 */
export function evaluatePolicy(policy: Policy, action: Action): Verdict | undefined {
  return explainPolicy(policy, action).verdict;
}
