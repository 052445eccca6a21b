import type { ToolAnnotations } from '@bulkhead/protocol';
import type { FlowPolicy } from '../annotations/flow-policy.ts';
import { createFlowSession, FLOW_RULES, type FlowRule, type FlowSession } from './flow-session.ts';
import { emptyFlowState, readFlowState } from './flow-state.ts';
import type { FlowLabels } from './kept-labels.ts';
import type { Label } from './label.ts';

/** Information flow for all sessions of one policy. */
export interface Flow {
  /**
   * @param stored state of an earlier session to continue; absent for a new session
   * @param inherited label of the session that started this one [F2]
   * @throws BulkheadError `store_corrupt` if `stored` is not a state of a known version
   */
  open(stored?: unknown, inherited?: Label): FlowSession;
}

/**
 * @param annotations the known tools: the policy's own, a scope of it, or both with those of
 * connected servers
 * @param policy sources, sink rules and mode
 * @param labels persistent labels, kept by the engine
 * @param rules for tests and figures: the rules to apply; default: all
 */
export function createFlow(
  annotations: ToolAnnotations,
  policy: FlowPolicy,
  labels: FlowLabels,
  rules: Iterable<FlowRule> = FLOW_RULES,
): Flow {
  const parts = { policy, tools: annotations, labels, rules: new Set(rules) };
  return {
    open: (stored, inherited) =>
      createFlowSession(parts, stored === undefined ? emptyFlowState(inherited) : readFlowState(stored)),
  };
}
