import { homedir } from 'node:os';
import type { HomeLayout } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import { createFlow, createLabelStore, type LabelStore, presetPolicies } from '@bulkhead/shield';
import type { ToolRegistry } from '@bulkhead/tools';
import type { Config } from '../config/config-schema.ts';
import { callFacts } from '../flow/call-facts.ts';
import { openLabelDatabase } from '../flow/label-database.ts';
import { readFlowPolicy } from '../flow/read-flow-policy.ts';
import { SessionFlows } from '../flow/session-flows.ts';

/** Tier 1 and information flow, which know the tools by the same file. */
export type Judges = Awaited<ReturnType<typeof openJudges>>;

/**
 * @throws BulkheadError `config_invalid` for an `ifc.yaml` that is wrong, `store_corrupt` for labels that can't be read
 */
export async function openJudges(parts: {
  readonly layout: HomeLayout;
  readonly config: Config;
  readonly store: SessionStore;
  readonly tools: ToolRegistry;
}) {
  const { layout, config, store, tools } = parts;
  const policy = readFlowPolicy(layout);
  // Large, and needed by the first action only: read while the boxes are tried.
  const { createAnalysis } = await import('@bulkhead/shield/analysis');
  const preset = isPreset(config.policy) ? config.policy : 'default';
  const analysis = createAnalysis({ annotations: policy.tools, preset, home: homedir() });
  const database = openLabelDatabase(layout.labels);
  const kept = { files: database.of('file'), stores: database.of('store') };
  const flows = new SessionFlows({
    flow: createFlow(policy.tools, policy, kept),
    detached: () =>
      createFlow(policy.tools, policy, { files: copyOf(kept.files), stores: copyOf(kept.stores) }),
    store,
    sessions: database.of('session'),
    facts: (call, workingFolder) => callFacts(tools, call, workingFolder),
  });
  return {
    flows,
    analysis,
    annotations: policy.tools,
    labels: database,
    close: () => database[Symbol.dispose](),
  };
}

function copyOf(labels: LabelStore): LabelStore {
  return createLabelStore(labels.entries());
}

function isPreset(name: string): name is keyof typeof presetPolicies {
  return Object.hasOwn(presetPolicies, name);
}
