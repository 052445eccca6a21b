import type { Verdict } from '@bulkhead/protocol';
import { Refusal } from './refusal.ts';
import type { FlowDecision } from './stages.ts';

/**
 * The objection of information flow to an action; undefined if flow explicitly has none.
 * @throws Refusal for any other value: silence is no approval [A4]
 */
export function objectionOf(decision: FlowDecision): Verdict | undefined {
  if (decision.says === 'allow' || decision.says === 'audit') return undefined;
  if (decision.says === 'object' && isVerdict(decision.verdict)) return decision.verdict;
  throw new Refusal('information flow gave no answer that can be understood', true);
}

/** Also rejects values that the types exclude. */
function isVerdict(verdict: Verdict | undefined): boolean {
  return verdict?.decision === 'block' || verdict?.decision === 'escalate' || verdict?.decision === 'allow';
}
