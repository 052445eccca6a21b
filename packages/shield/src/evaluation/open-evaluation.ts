import type { ToolAnnotations } from '../annotations/tool-annotation.ts';
import type { Policy } from '../policy/policy.ts';
import { createShield, notPresent, type ShieldParts } from '../shield.ts';
import { caseAction } from './case-action.ts';
import type { EvalCase } from './eval-case.ts';
import type { CaseJudge } from './judge-case.ts';

/** What cases are judged with. */
export interface EvaluationSettings {
  readonly policy: Policy;
  /** The tools of a case: names may mean different tools in different groups of cases. */
  annotationsOf(subject: EvalCase): ToolAnnotations;
  /** The tier that reads commands and arguments; not present, tier 0 decides alone. */
  readonly analysis: ShieldParts['analysis'];
}

/** A judge for each case, in the order of the pipeline. Nothing is shared between cases. */
export function openEvaluation(settings: EvaluationSettings): (subject: EvalCase) => CaseJudge {
  const shield = createShield({
    policy: () => settings.policy,
    analysis: settings.analysis,
    evaluator: notPresent('model evaluator'),
  });
  const { signal } = new AbortController();
  return (subject) => {
    const annotations = settings.annotationsOf(subject);
    const request = subject.userMessage ?? '';
    return {
      judge: async (step) => {
        const annotation = annotations.get(step.tool);
        return await shield.judge(caseAction(step, annotation, ''), { request }, signal);
      },
      observe: () => {},
    };
  };
}
