import type { Clock, ToolDescription } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import { createFlow, type FlowPolicy } from '@bulkhead/shield';
import { type CommandReads, callFacts, factsOf } from './call-facts.ts';
import { changedSince } from './changed-since.ts';
import type { LabelDatabase } from './label-database.ts';
import { ReplayLabels } from './replay-labels.ts';
import { SessionFlows } from './session-flows.ts';

/** Joins policy, labels and sessions' logs. @param parts.database stays open as long as the flows are used */
export function openFlows(parts: {
  readonly policy: FlowPolicy;
  readonly database: LabelDatabase;
  readonly store: Pick<SessionStore, 'records' | 'lastPos' | 'getSession'>;
  readonly tools: { get(name: string): ToolDescription | undefined };
  readonly readsOf: CommandReads;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { policy, database, store, tools, readsOf, clock } = parts;
  const labels = {
    files: database.of('file'),
    stores: database.of('store'),
    sessions: database.of('session'),
  };
  const replayed = new ReplayLabels(labels, database);
  const flows = new SessionFlows({
    flow: createFlow(policy.tools, policy, replayed),
    labels: replayed,
    history: database.history,
    live: database.live,
    displaced: database.displaced,
    clock,
    changedSince,
    store,
    sessions: labels.sessions,
    factsOf: (action) => factsOf(action, readsOf),
    derive: (call, workingFolder) => callFacts(tools, call, workingFolder, readsOf),
  });
  return { flows, labels };
}
