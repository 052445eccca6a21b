import type { Verdict } from '@bulkhead/protocol';
import type { EvalCase, EvalStep } from './eval-case.ts';

/** Judges the steps of one case in order, as the pipeline judges the actions of one session. */
export interface CaseJudge {
  judge(step: EvalStep): Promise<Verdict>;
  /** Records that the model has read the step's result. */
  observe(step: EvalStep, result: string): void;
}

/** The verdict on one step, as `shield eval` prints it. */
export interface StepLine {
  readonly decision: Verdict['decision'];
  readonly tier: Verdict['tier'];
  readonly rule: string;
  readonly reason: string;
  /** Milliseconds the decision took. */
  readonly ms: number;
}

/** The output for a case: a single action's verdict, or one for each step of a trace. */
export type CaseLine = { readonly id: string } & (
  | StepLine
  | { readonly steps: readonly StepLine[]; readonly ms: number }
);

/**
 * Judges one case. Executes nothing: a step's result comes from the case, and is read whatever the
 * decision.
 * @param now milliseconds, monotonic
 */
export async function judgeCase(subject: EvalCase, judge: CaseJudge, now: () => number): Promise<CaseLine> {
  const lines: StepLine[] = [];
  for (const step of subject.steps) {
    const started = now();
    const { decision, tier, rule, reason } = await judge.judge(step);
    lines.push({ decision, tier, rule, reason, ms: round(now() - started) });
    if (step.result !== undefined) judge.observe(step, step.result);
  }
  if (subject.trace) {
    return { id: subject.id, steps: lines, ms: round(lines.reduce((sum, { ms }) => sum + ms, 0)) };
  }
  const [only] = lines;
  if (only === undefined) throw new TypeError('a single action has one step');
  return { id: subject.id, ...only };
}

/** To the microsecond. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
