import { homedir } from 'node:os';
import { flowRulesOf } from '@bulkhead/actions/flow/flow-rules-of';
import { createLabelTables } from '@bulkhead/actions/flow/label-tables';
import { openFlows } from '@bulkhead/actions/flow/open-flows';
import type { PolicyKeeper } from '@bulkhead/actions/policy/policy-keeper';
import type { Config } from '@bulkhead/home/config/config-schema';
import type { Clock } from '@bulkhead/protocol';
import type { SessionStore, Tables } from '@bulkhead/sessions';
import { presetPolicies } from '@bulkhead/shield';
import type { ToolRegistry } from '@bulkhead/tools';
import { openClassifier } from './open-classifier.ts';

/** Tier 1 and information flow, which know the tools by the same file. */
export type Judges = Awaited<ReturnType<typeof openJudges>>;

/**
 * @throws BulkheadError `store_corrupt` for labels that can't be read, `config_invalid` for a model of a classifier that can't be used
 */
export async function openJudges(parts: {
  readonly config: Config;
  readonly store: SessionStore;
  readonly tables: Tables;
  readonly tools: ToolRegistry;
  readonly clock: Clock;
  readonly policies: Pick<PolicyKeeper, 'current'>;
}) {
  const { config, store, tools, clock, policies } = parts;
  // Asked each time: the file may change while the engine runs.
  const annotations = { get: (name: string) => policies.current.flow.tools.get(name) };
  // Large, and needed by the first action only: read while the boxes are tried.
  const { createAnalysis, createCommandReadings } = await import('@bulkhead/shield/analysis');
  const preset = isPreset(config.policy) ? config.policy : 'default';
  const classifier = await openClassifier(config.shield);
  const home = homedir();
  const asked = classifier === undefined ? {} : { classifier };
  const readings = createCommandReadings(home);
  const analysis = createAnalysis({ annotations, preset, home, readings, ...asked });
  const { flows, labels } = openFlows({
    policy: () => policies.current.flow,
    rules: flowRulesOf(preset),
    tables: createLabelTables(parts.tables),
    store,
    tools,
    clock,
    readsOf: readings.readBy,
  });
  return {
    flows,
    analysis,
    startedBy: readings.startedBy,
    annotations,
    labels,
  };
}

function isPreset(name: string): name is keyof typeof presetPolicies {
  return Object.hasOwn(presetPolicies, name);
}
