import { homedir } from 'node:os';
import type { Clock, HomeLayout } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import { presetPolicies } from '@bulkhead/shield';
import type { ToolRegistry } from '@bulkhead/tools';
import type { Config } from '../config/config-schema.ts';
import { openLabelDatabase } from '../flow/label-database.ts';
import { openFlows } from '../flow/open-flows.ts';
import { readFlowPolicy } from '../flow/read-flow-policy.ts';

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
  readonly clock: Clock;
}) {
  const { layout, config, store, tools, clock } = parts;
  const policy = readFlowPolicy(layout);
  // Large, and needed by the first action only: read while the boxes are tried.
  const { createAnalysis, createCommandReads, createParseCommand } = await import(
    '@bulkhead/shield/analysis'
  );
  const preset = isPreset(config.policy) ? config.policy : 'default';
  const analysis = createAnalysis({ annotations: policy.tools, preset, home: homedir() });
  const database = openLabelDatabase(layout.labels);
  const { flows, labels } = openFlows({
    policy,
    database,
    store,
    tools,
    clock,
    readsOf: createCommandReads(homedir()),
  });
  return {
    flows,
    analysis,
    parseCommand: createParseCommand(homedir()),
    annotations: policy.tools,
    labels,
    close: () => database[Symbol.dispose](),
  };
}

function isPreset(name: string): name is keyof typeof presetPolicies {
  return Object.hasOwn(presetPolicies, name);
}
