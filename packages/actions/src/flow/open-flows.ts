import type { Clock, ToolDescription } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import { createFlow, type Flow, type FlowPolicy, type FlowRule } from '@bulkhead/shield';
import { type CommandReads, callFacts, factsOf } from './call-facts.ts';
import { changedSince } from './changed-since.ts';
import type { LabelTables } from './label-tables.ts';
import { ReplayLabels } from './replay-labels.ts';
import { SessionFlows } from './session-flows.ts';

/**
 * Connects policy, labels and the sessions' logs. @param parts.tables must stay open while the
 * flows are used
 */
export function openFlows(parts: {
  /** The policy in force. */
  policy(): FlowPolicy;
  /** All rules, if absent. */
  readonly rules?: readonly FlowRule[];
  readonly tables: LabelTables;
  readonly store: Pick<SessionStore, 'records' | 'lastPos' | 'getSession'>;
  readonly tools: { get(name: string): ToolDescription | undefined };
  readonly readsOf: CommandReads;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { tables: kept, store, tools, readsOf, clock, rules } = parts;
  let made: { readonly policy: FlowPolicy; readonly flow: Flow } | undefined;
  const labels = {
    files: kept.of('file'),
    stores: kept.of('store'),
    sessions: kept.of('session'),
  };
  const replayed = new ReplayLabels(labels, kept);
  const flows = new SessionFlows({
    flow: () => {
      const policy = parts.policy();
      if (made?.policy !== policy) made = { policy, flow: createFlow(policy.tools, policy, replayed, rules) };
      return made.flow;
    },
    labels: replayed,
    tables: kept,
    clock,
    changedSince,
    store,
    sessions: labels.sessions,
    factsOf: (action) => factsOf(action, readsOf),
    derive: (call, workingFolder) => callFacts(tools, call, workingFolder, readsOf),
  });
  return { flows, labels };
}
