import { BulkheadError } from '@bulkhead/protocol';
import { everyTool } from '@bulkhead/tools';

/**
 * Whether a tool of the product would accept these arguments: a refused call is neither checked nor
 * executed.
 */
export type ArgumentsFit = 'fits' | 'refused' | 'unknown-tool';

/** @param args as a model sent them */
export function argumentsFit(tool: string, args: unknown): ArgumentsFit {
  const description = everyTool.find(({ name }) => name === tool);
  if (description === undefined) return 'unknown-tool';
  try {
    description.parse(args);
    return 'fits';
  } catch (error) {
    if (BulkheadError.is(error)) return 'refused';
    throw error;
  }
}

/*
 * The shield without an engine: `shield eval` evaluates cases; nothing is executed or stored. Apart
 * from the client's own entry point: it includes parsers and tables, which no other command should
 * load.
 */
export { shippedFlow } from '@bulkhead/actions/flow/read-flow-policy';
export {
  type FlowPolicy,
  overlayFlowPolicy,
  type PresetName,
  parseFlowPolicy,
  parsePolicy,
  presetPolicies,
} from '@bulkhead/shield';
export {
  type CaseJudge,
  type CaseLine,
  classifierOnDemand,
  type EvalCase,
  type EvalStep,
  type EvaluationSettings,
  judgeCase,
  openEvaluation,
  parseEvalCase,
  readToolDefinitions,
} from '@bulkhead/shield/analysis';
