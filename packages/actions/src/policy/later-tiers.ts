import type { Action, HomeLayout, Verdict } from '@bulkhead/protocol';
import { createFlow, createLabelStore, presetPolicies } from '@bulkhead/shield';
import { type CommandReadings, createAnalysis } from '@bulkhead/shield/analysis';
import { readFlowPolicy } from '../flow/read-flow-policy.ts';

/** An answer of a check next to the policy, or after it. */
export interface LaterAnswer extends Pick<Verdict, 'decision' | 'rule' | 'reason'> {
  /** `analysis` is tier 1; `flow` judges every action. */
  readonly from: 'analysis' | 'flow';
}

/**
 * Opens tier 1 and information flow of a home without its engine, as in a new session that has read
 * nothing.
 *
 * @param options.home of the person, absolute
 * @param options.policy name of the policy: a preset has its own column of the analysis
 * @throws BulkheadError `config_invalid` for an invalid `ifc.yaml`
 */
export function openLaterTiers(options: {
  readonly layout: HomeLayout;
  readonly home: string;
  readonly policy: string;
  readonly readings: Pick<CommandReadings, 'of'>;
}): (action: Action, isOpen: boolean) => Promise<readonly LaterAnswer[]> {
  const { flow: flowPolicy } = readFlowPolicy(options.layout);
  const annotations = flowPolicy.tools;
  const preset = isPreset(options.policy) ? options.policy : 'default';
  const analysis = createAnalysis({ annotations, preset, home: options.home, readings: options.readings });
  const { signal } = new AbortController();
  return async (action, isOpen) => {
    const labels = { files: createLabelStore(), stores: createLabelStore() };
    const flow = createFlow(annotations, flowPolicy, labels).open().decide(action);
    const judged = isOpen ? await analysis.judge(action, { request: '' }, signal) : undefined;
    return [
      ...(judged === undefined ? [] : [answer('analysis', judged)]),
      ...(flow.decision === 'allow' ? [] : [answer('flow', flow)]),
    ];
  };
}

function answer(
  from: LaterAnswer['from'],
  { decision, rule, reason }: Omit<LaterAnswer, 'from'>,
): LaterAnswer {
  return { from, decision, rule, reason };
}

function isPreset(name: string): name is keyof typeof presetPolicies {
  return Object.hasOwn(presetPolicies, name);
}
