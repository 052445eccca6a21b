import type { Verdict } from '@bulkhead/protocol';
import { Refusal } from './refusal.ts';
import type { FlowDecision } from './stages.ts';

/**
 * What information flow has against an action; undefined if it said that it has nothing.
 * @throws Refusal if it said neither: silence is no yes [A4]
 */
export function objectionOf(decision: FlowDecision): Verdict | undefined {
  if (decision.says === 'allow' || decision.says === 'audit') return undefined;
  if (decision.says === 'object' && isVerdict(decision.verdict)) return decision.verdict;
  throw new Refusal('information flow gave no answer that can be understood', true);
}

/** Also of one that the types don't know of. */
function isVerdict(verdict: Verdict | undefined): boolean {
  return verdict?.decision === 'block' || verdict?.decision === 'escalate' || verdict?.decision === 'allow';
}
