import type { ToolAnnotations } from '@bulkhead/protocol';
import { strictestOf, type Verdict } from '@bulkhead/protocol';
import { type AnalysisSettings, createAnalysis } from '../analysis/analysis-tier.ts';
import { createCommandReadings } from '../analysis/command/command-readings.ts';
import type { FlowPolicy } from '../annotations/flow-policy.ts';
import { createFlow } from '../flow/create-flow.ts';
import { createLabelStore } from '../flow/label-store.ts';
import type { Policy } from '../policy/policy.ts';
import type { PresetName } from '../policy/presets.ts';
import { createShield, notPresent } from '../shield.ts';
import { CASE_PLACE, caseAction } from './case-action.ts';
import type { EvalCase } from './eval-case.ts';
import type { CaseJudge } from './judge-case.ts';

/** The settings of an evaluation. */
export interface EvaluationSettings {
  readonly policy: Policy;
  /**
   * Tools, sources and sinks. A case whose category names a scope has that scope's tools besides
   * all others.
   */
  readonly flow: FlowPolicy;
  readonly preset: PresetName;
  /** Tier 1 and information flow judge, too; otherwise tier 0 decides alone. */
  readonly analysis: boolean;
  /** Classifies texts that a call keeps or sends, in tier 1; absent, none is classified. */
  readonly classifier?: AnalysisSettings['classifier'];
}

/** A judge for each case, in the order of the pipeline. Nothing is shared between cases. */
export function openEvaluation(settings: EvaluationSettings): (subject: EvalCase) => CaseJudge {
  const { policy, preset, analysis, classifier } = settings;
  const { signal } = new AbortController();
  const readings = createCommandReadings(CASE_PLACE.home);
  return (subject) => {
    const annotations = annotationsOf(settings.flow, subject.category);
    const shield = createShield({
      policy: () => policy,
      analysis: analysis
        ? createAnalysis({
            annotations,
            preset,
            home: CASE_PLACE.home,
            readings,
            ...(classifier === undefined ? {} : { classifier }),
          })
        : notPresent('command analysis'),
      evaluator: notPresent('model evaluator'),
      annotations,
      startedBy: readings.startedBy,
    });
    const labels = { files: createLabelStore(), stores: createLabelStore() };
    const flow = createFlow(annotations, settings.flow, labels).open();
    const request = subject.userMessage ?? '';
    if (request !== '') flow.observeRequest(request);
    return {
      judge: async (step) => {
        const action = caseAction(step, annotations.get(step.tool), '');
        const verdict = await shield.judge(action, { request, taint: flow.label }, signal);
        if (!analysis) return verdict;
        const flowVerdict: Verdict = { ...flow.decide(action), tier: 1, confidence: 1 };
        return strictestOf([verdict, flowVerdict]) ?? verdict;
      },
      observe: (step, result) => {
        const action = caseAction(step, annotations.get(step.tool), '');
        const { tool, arguments: args, metadata } = action;
        const read = readings.readBy(action).map((path) => ({ path, access: 'read' as const }));
        const paths = [...metadata.paths, ...read];
        flow.observeResult({ tool, arguments: args, metadata: { ...metadata, paths } }, result);
      },
    };
  };
}

function annotationsOf({ tools, scopes }: FlowPolicy, scope: string): ToolAnnotations {
  const own = scopes.get(scope);
  return own === undefined ? tools : new Map([...tools, ...own]);
}
