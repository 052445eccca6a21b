import type { FlowCall } from './call.ts';
import type { Flow } from './create-flow.ts';
import type { FlowVerdict } from './flow-verdict.ts';

/** One call of a recorded session, with its result, if it was executed. */
export interface TraceStep {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

export interface Trace {
  readonly userMessage: string;
  readonly steps: readonly TraceStep[];
}

/** Judges each step in order; the model has read each result before the next step. */
export function judgeTrace(flow: Flow, trace: Trace): readonly FlowVerdict[] {
  const session = flow.open();
  session.observeRequest(trace.userMessage);
  return trace.steps.map(({ tool, args, result }) => {
    const call: FlowCall = { tool, arguments: args };
    const verdict = session.decide(call);
    if (result !== undefined && result !== null) {
      session.observeResult(call, typeof result === 'string' ? result : JSON.stringify(result));
    }
    return verdict;
  });
}
